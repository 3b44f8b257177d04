// stages.tsx: the quest in the middle of the table: its stages, the one being built, the attacks on the present one.
import { useState } from 'preact/hooks';
import type { Card, View } from '../../generated/quests';
import { SeatName } from '../../ui/parts';
import { both } from '../../words/say';
import type { Names } from '../face';
import { classes } from '../../ui/classes';
import { Backs, Face, worth } from './cards';

// What the stage that is being built still needs, as the numbers on the table say it; null: it may be ready.
function needs(before: number, cards: readonly Card[]): string | null {
    const value = worth(cards);
    if (!cards.some((card) => card.startsWith('CARD_F'))) return both(['needs a foe', 'braucht einen Feind']);
    if (value > before) return null;
    return both(['needs more than {n}: {m} more at least', 'braucht mehr als {n}: mindestens {m} dazu'], {
        n: before,
        m: before - value + 5,
    });
}

export function Stages({
    view,
    names,
    canDrop,
    onDrop,
}: {
    view: View;
    names: Names;
    canDrop: boolean;
    onDrop: (card: Card) => void;
}) {
    const quest = view.quest!;
    const built = quest.built ?? [];
    const [over, setOver] = useState(false);
    const drop = canDrop
        ? {
              onDragOver: (event: DragEvent) => {
                  event.preventDefault();
                  setOver(true);
              },
              onDragLeave: () => setOver(false),
              onDrop: (event: DragEvent) => {
                  event.preventDefault();
                  setOver(false);
                  onDrop(event.dataTransfer?.getData('text/plain') as Card);
              },
          }
        : {};
    const isBuilding = view.phase === 'PHASE_BUILD';
    return (
        <>
            <ol class="stages">
                {Array.from({ length: quest.stages ?? 0 }, (_, n) => {
                    const stage = built[n];
                    const isNext = isBuilding && n === built.length;
                    const cards = isNext ? quest.building?.cards : stage?.cards?.cards;
                    const lack = isNext && canDrop ? needs(built[n - 1]?.value ?? 0, cards ?? []) : null;
                    return (
                        <li
                            key={n}
                            class={classes(
                                'stage',
                                quest.stage === n + 1 && 'now',
                                isNext && 'building',
                                over && isNext && 'over',
                                !stage && !isNext && 'later',
                            )}
                            {...(isNext ? drop : {})}
                        >
                            <header>
                                <span>{both(['Stage {n}', 'Stufe {n}'], { n: n + 1 })}</span>
                                {cards?.length ? <b class="num">{stage?.value ?? worth(cards)}</b> : null}
                            </header>
                            <div class="laid">
                                {cards ? (
                                    cards.map((card, at) => <Face key={at} card={card} />)
                                ) : stage ? (
                                    <Backs count={stage.count ?? 0} />
                                ) : null}
                                {isNext && !cards?.length ? (
                                    <span class="small soft">
                                        {canDrop
                                            ? both(['Lay cards here', 'Karten hierher'])
                                            : both(['is being built', 'wird gebaut'])}
                                    </span>
                                ) : null}
                            </div>
                            {lack ? <p class="small lack">{lack}</p> : null}
                        </li>
                    );
                })}
            </ol>
            {(quest.attacks ?? []).length > 0 || view.phase === 'PHASE_ATTACK' ? (
                <ul class={`attacks${over && !isBuilding ? ' over' : ''}`} {...(!isBuilding ? drop : {})}>
                    {(quest.participants ?? []).map((seat) => {
                        const attack = (quest.attacks ?? []).find((one) => one.player === seat);
                        return (
                            <li key={seat} class={`attack seat-${seat}`}>
                                <SeatName seat={seat} name={names.name(seat)} isYou={seat === names.seat} />
                                {attack?.cards?.cards?.length ? <b class="num">{worth(attack.cards.cards)}</b> : null}
                                <div class="laid">
                                    {attack?.cards?.cards ? (
                                        attack.cards.cards.map((card, at) => <Face key={at} card={card} />)
                                    ) : attack ? (
                                        <Backs count={attack.count ?? 0} />
                                    ) : (
                                        <span class="small soft">…</span>
                                    )}
                                </div>
                            </li>
                        );
                    })}
                </ul>
            ) : null}
        </>
    );
}
