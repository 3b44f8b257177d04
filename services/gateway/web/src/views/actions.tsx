// actions.tsx: everything that may be done, as a list: the way for keyboards, for screen readers, and for new games.
import type { Face, Names } from '../games/face';
import type { GameMessage } from '../proto/game';
import { isSame, type Choices } from '../proto/legal';
import { classes } from '../ui/classes';
import { t } from '../words/say';

const MOST = 120;

export function Actions({
    choices,
    hinted,
    face,
    names,
    play,
}: {
    choices: Choices;
    hinted: GameMessage | null;
    face: Face;
    names: Names;
    play: (command: GameMessage) => void;
}) {
    const rows = choices.kinds().map((kind) => ({ kind, list: choices.all(kind, MOST) }));
    if (rows.length === 0) return null;
    return (
        <details class="card actions">
            <summary>
                {t('step_by_hand')} <span class="chip num">{rows.reduce((sum, row) => sum + row.list.length, 0)}</span>
            </summary>
            <div class="actionlist">
                {rows.map(({ kind, list }) =>
                    list.map((values, n) => {
                        const command = choices.command(kind, ...values);
                        return (
                            <button
                                key={`${kind}${n}`}
                                class={classes('button small', isSame(hinted, command) && 'hinted')}
                                onClick={() => play(command)}
                            >
                                {face.deed(command, names)}
                            </button>
                        );
                    }),
                )}
            </div>
        </details>
    );
}
