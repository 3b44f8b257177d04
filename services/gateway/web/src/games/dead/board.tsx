// board.tsx: the colony and the places around it, who stands where, and what the chosen survivor or card may do.
import { useState } from 'preact/hooks';
import type { View } from '../../generated/dead';
import { both } from '../../words/say';
import type { BoardProps } from '../face';
import { deed } from './deeds';
import { Draft } from './draft';
import { Head } from './head';
import { Lore } from './lore';
import { paleWords, Place } from './place';
import { Card, Seats } from './seats';
import { Vote } from './vote';

// Kinds of command by where the survivor and the card stand among their arguments.
const OF_SURVIVOR: Record<string, number> = {
    move: 0,
    barricade: 0,
    attack: 0,
    search: 0,
    clean_waste: 0,
    use_ability: 0,
    use_card: 1,
};
const ON_THE_MAP = new Set(['move', 'barricade', 'attack']);
// What anybody may be asked to do where he stands; what he cannot do now is shown pale.
const PLAIN_DEEDS = ['search', 'clean_waste'];

interface HandProps {
    cards: readonly number[];
    lore: Lore;
    choices: BoardProps['choices'];
    held: number | undefined;
    hold: ((id: number) => void) | undefined;
}
function Hand({ cards, lore, choices, held, hold }: HandProps) {
    return (
        <ul class="deadhand" aria-label={both(['Your hand', 'Deine Hand'])}>
            {cards.map((id, at) => (
                <li key={`${id}/${at}`}>
                    <Card
                        id={id}
                        lore={lore}
                        isChosen={held === id}
                        isLit={choices.has('use_card', id) || choices.has('contribute_card', id)}
                        onClick={hold ? () => hold(id) : undefined}
                    />
                </li>
            ))}
        </ul>
    );
}

// Survivors of one's own who may do anything.
function ableOf(mine: readonly { character_id?: number }[], choices: BoardProps['choices']): Set<number> {
    const may = (id: number) =>
        Object.entries(OF_SURVIVOR).some(([kind, at]) =>
            at === 0 ? choices.has(kind, id) : choices.has(kind, undefined, id),
        );
    return new Set(mine.map((one) => one.character_id ?? 0).filter(may));
}

export function Board(props: BoardProps) {
    const view = props.view as View;
    const { choices, toAct, seat } = props;
    const lore = new Lore(props);
    const [survivor, setSurvivor] = useState<number>();
    const [card, setCard] = useState<number>();
    const mine = (view.survivors ?? []).filter((one) => one.player === seat && seat !== undefined);
    // Who was chosen may have died, or the turn has passed.
    const only = mine.length === 1 ? mine[0]?.character_id : undefined;
    const chosen = !toAct ? undefined : mine.some((one) => one.character_id === survivor) ? survivor : only;
    const own = (view.seats ?? []).find((one) => one.player === seat && seat !== undefined);
    const held = own?.cards?.includes(card ?? -1) ? card : undefined;
    const able = ableOf(mine, choices);
    const play: BoardProps['play'] = (command) => {
        setCard(undefined);
        return props.play(command);
    };
    const choose = (id: number) => {
        setCard(undefined);
        setSurvivor(id === survivor ? undefined : id);
    };
    return (
        <div class="dead">
            <Head view={view} lore={lore} />
            {view.phase === 'PREPARATION' && view.offer?.length ? (
                <Draft offer={view.offer} lore={lore} choices={choices} play={play} />
            ) : null}
            {view.phase === 'VOTE' ? (
                <Vote view={view} lore={lore} choices={choices} toAct={toAct} play={play} />
            ) : null}
            <Seats seats={view.seats ?? []} lore={lore} awaited={view.player} onTurn={view.on_turn} />
            {seat !== undefined && toAct && view.phase === 'TURN' ? (
                <Deeds
                    {...props}
                    lore={lore}
                    chosen={held === undefined ? chosen : undefined}
                    card={held}
                    play={play}
                />
            ) : null}
            {own?.cards?.length ? (
                <Hand
                    cards={own.cards}
                    lore={lore}
                    choices={choices}
                    held={held}
                    hold={toAct ? (id) => setCard(held === id ? undefined : id) : undefined}
                />
            ) : null}
            <ul class="places">
                {(view.locations ?? []).map((place) => (
                    <Place
                        key={place.location_id}
                        place={place}
                        lore={lore}
                        choices={choices}
                        chosen={chosen}
                        canAct={able}
                        play={(command) => void play(command)}
                        people={(view.survivors ?? []).filter((one) => one.location_id === place.location_id)}
                        onChoose={toAct && view.phase === 'TURN' ? choose : null}
                    />
                ))}
            </ul>
        </div>
    );
}

// What the chosen survivor or card may do, as buttons; nothing chosen: what needs nobody.
function Deeds({
    choices,
    lore,
    chosen,
    card,
    play,
}: BoardProps & { lore: Lore; chosen: number | undefined; card: number | undefined }) {
    const rows: number[][] = [];
    const kinds: string[] = [];
    const add = (kind: string, values: number[]) => {
        kinds.push(kind);
        rows.push(values);
    };
    const pale =
        card === undefined && chosen !== undefined ? PLAIN_DEEDS.filter((kind) => !choices.has(kind, chosen)) : [];
    if (card !== undefined) {
        for (const kind of ['contribute_card', 'use_card'])
            for (const values of choices.all(kind, 400)) if (values[0] === card) add(kind, values);
    } else if (chosen !== undefined) {
        for (const [kind, at] of Object.entries(OF_SURVIVOR))
            if (at === 0 && !ON_THE_MAP.has(kind))
                for (const values of choices.all(kind, 400)) if (values[at] === chosen) add(kind, values);
    }
    const who =
        card !== undefined
            ? lore.cardName(card)
            : chosen === undefined
              ? null
              : `${lore.called(chosen)}: ${lore.ability(chosen)}`;
    return (
        <section class="deeds card" aria-label={both(['What you may do', 'Was du tun kannst'])}>
            <p class="small">
                {who ??
                    both([
                        'Choose one of your survivors or a card: what is possible lights up.',
                        'Wähle einen deiner Überlebenden oder eine Karte: Was möglich ist, leuchtet auf.',
                    ])}
                {card !== undefined && rows.length === 0
                    ? ` – ${both(['Nothing can be done with it now.', 'Damit geht jetzt nichts.'])}`
                    : ''}
            </p>
            <div class="buttons">
                {rows.map((values, n) => {
                    const command = choices.command(kinds[n]!, ...values);
                    return (
                        <button key={n} class="button small" onClick={() => void play(command)}>
                            {deed(command, lore)}
                        </button>
                    );
                })}
                {pale.map((kind) => {
                    const command = choices.command(kind, chosen);
                    const words = paleWords({ isPossible: false }, deed(command, lore));
                    return (
                        <button
                            key={kind}
                            class="button small pale"
                            title={words}
                            aria-label={words}
                            onClick={() => void play(command)}
                        >
                            {deed(command, lore)}
                        </button>
                    );
                })}
                {choices.has('end_turn') ? (
                    <button class="button small main" onClick={() => void play(choices.command('end_turn'))}>
                        {both(['End the turn', 'Zug beenden'])}
                    </button>
                ) : null}
            </div>
        </section>
    );
}
