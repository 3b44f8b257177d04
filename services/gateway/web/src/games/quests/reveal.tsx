// reveal.tsx: stage and attacks are laid open, side by side: the moment everybody has waited for.
import type { Event_StageResolved } from '../../generated/quests';
import { SeatName } from '../../ui/parts';
import { both } from '../../words/say';
import type { Names } from '../face';
import { Face } from './cards';

export function Reveal({ what, names, onDone }: { what: Event_StageResolved; names: Names; onDone: () => void }) {
    return (
        <button
            class="reveal"
            onClick={onDone}
            aria-label={both(['Stage {n} is laid open', 'Stufe {n} wird aufgedeckt'], { n: what.stage })}
        >
            <span class="revealstage">
                <strong>{both(['Stage {n}', 'Stufe {n}'], { n: what.stage })}</strong>
                <span class="laid">
                    {(what.cards ?? []).map((card, at) => (
                        <Face key={at} card={card} />
                    ))}
                </span>
                <b class="total num">{what.value ?? 0}</b>
            </span>
            {(what.attacks ?? []).map((attack) => (
                <span key={attack.player} class={`revealattack ${attack.success ? 'good' : 'bad'}`}>
                    <SeatName seat={attack.player ?? 0} name={names.name(attack.player)} />
                    <span class="laid">
                        {(attack.cards ?? []).length > 0
                            ? (attack.cards ?? []).map((card, at) => <Face key={at} card={card} />)
                            : '–'}
                    </span>
                    <b class="total num">
                        {attack.value ?? 0} {attack.success ? '✓' : '✗'}
                    </b>
                </span>
            ))}
        </button>
    );
}
