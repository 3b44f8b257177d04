// vote.tsx: a fate card asks everybody.
import type { View } from '../../generated/dead';
import type { Choices } from '../../proto/legal';
import { both } from '../../words/say';
import type { Lore } from './lore';
import type { GameMessage } from '../../proto/game';

export function Vote({
    view,
    lore,
    choices,
    toAct,
    play,
}: {
    view: View;
    lore: Lore;
    choices: Choices;
    toAct: boolean;
    play: (command: GameMessage) => void;
}) {
    const texts = lore.names.texts.crossroads?.[String(view.crossroad_id)];
    const [yes, no] = lore.fate(view.crossroad_id);
    return (
        <section class="fate card">
            <h2>{texts?.title ?? both(['Fate', 'Schicksal'])}</h2>
            {texts?.text ? <p>{texts.text}</p> : null}
            {toAct ? (
                <div class="buttons">
                    <button
                        class="button main way"
                        disabled={!choices.has('vote', 1)}
                        onClick={() => play(choices.command('vote', 1))}
                    >
                        {texts?.yes ?? both(['The first', 'Das Erste'])} <small>{yes}</small>
                    </button>
                    <button
                        class="button way"
                        disabled={!choices.has('vote', 0)}
                        onClick={() => play(choices.command('vote', 0))}
                    >
                        {texts?.no ?? both(['The second', 'Das Zweite'])} <small>{no}</small>
                    </button>
                </div>
            ) : (
                <p class="soft">
                    {both(['{name} votes.', '{name} stimmt ab.'], { name: lore.names.name(view.player) })}
                </p>
            )}
        </section>
    );
}
