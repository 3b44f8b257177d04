// draft.tsx: before the first round: two of four people are chosen.
import { useState } from 'preact/hooks';
import type { Choices } from '../../proto/legal';
import { both } from '../../words/say';
import type { Lore } from './lore';
import { Portrait } from './token';
import type { GameMessage } from '../../proto/game';

export function Draft({
    offer,
    lore,
    choices,
    play,
}: {
    offer: readonly number[];
    lore: Lore;
    choices: Choices;
    play: (command: GameMessage) => void;
}) {
    const [picked, setPicked] = useState<readonly number[]>([]);
    const pick = (id: number) =>
        setPicked(picked.includes(id) ? picked.filter((one) => one !== id) : [...picked, id].slice(-2));
    const [a, b] = picked;
    const order = choices.has('select_characters', a, b) ? [a, b] : [b, a];
    const isReady = picked.length === 2 && choices.has('select_characters', ...order);
    return (
        <section class="draft card">
            <h2>{both(['Choose two who shall follow you', 'Wähle zwei, die dir folgen'])}</h2>
            <ul>
                {offer.map((id) => {
                    const who = lore.character(id);
                    return (
                        <li key={id}>
                            <button
                                class={`person${picked.includes(id) ? ' chosen' : ''}`}
                                aria-pressed={picked.includes(id)}
                                onClick={() => pick(id)}
                            >
                                <span class="ring">
                                    <Portrait id={id} />
                                </span>
                                <strong>{who.name}</strong>
                                <span class="small">
                                    {both(
                                        [
                                            'attack {a}+ · search {s}+ · rank {r}',
                                            'Angriff {a}+ · Suche {s}+ · Rang {r}',
                                        ],
                                        { a: who.attack, s: who.search, r: who.status },
                                    )}
                                </span>
                                <span class="small">{lore.ability(id)}</span>
                                <span class="small soft">{lore.names.texts.characters?.[String(id)] ?? ''}</span>
                            </button>
                        </li>
                    );
                })}
            </ul>
            <button
                class="button main"
                disabled={!isReady}
                onClick={() => play(choices.command('select_characters', ...order))}
            >
                {both(['These two', 'Diese zwei'])}
            </button>
        </section>
    );
}
