// hand.tsx: one's own cards; those that fit now stand up, and the others are asked of the house, which says why not.
import type { Card } from '../../generated/quests';
import type { GameMessage } from '../../proto/game';
import { isSame, type Choices } from '../../proto/legal';
import { classes } from '../../ui/classes';
import { both } from '../../words/say';
import { numberOf } from './board';
import { Face } from './cards';

export function Hand({
    cards,
    choices,
    hinted,
    kind,
    onLay,
}: {
    cards: readonly Card[];
    choices: Choices;
    hinted: GameMessage | null | undefined;
    kind: string | undefined;
    onLay: (card: Card) => void;
}) {
    return (
        <section class="handarea" aria-label={both(['Your hand', 'Deine Hand'])}>
            <ul class="hand">
                {cards.map((card, at) => {
                    const fits = kind !== undefined && choices.has(kind, numberOf(card));
                    return (
                        <li key={`${card}${cards.slice(0, at).filter((one) => one === card).length}`}>
                            <button
                                class={classes(
                                    'lay',
                                    fits && 'fits',
                                    fits && isSame(hinted, choices.command(kind, numberOf(card))) && 'hinted',
                                )}
                                data-card={card.replace('CARD_', '')}
                                disabled={kind === undefined}
                                draggable={fits}
                                tabIndex={kind !== undefined && !fits ? -1 : 0}
                                title={
                                    kind && !fits
                                        ? both([
                                              'Does not fit now; click to hear why.',
                                              'Passt jetzt nicht; ein Klick sagt, warum.',
                                          ])
                                        : undefined
                                }
                                onDragStart={(event) => event.dataTransfer?.setData('text/plain', card)}
                                onClick={() => onLay(card)}
                            >
                                <Face card={card} />
                                {kind && !fits ? (
                                    <span class="unseen">{both(['does not fit now', 'passt jetzt nicht'])}</span>
                                ) : null}
                            </button>
                        </li>
                    );
                })}
            </ul>
        </section>
    );
}
