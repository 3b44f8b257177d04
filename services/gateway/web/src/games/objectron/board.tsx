// board.tsx: the grid, what the players carry, and the controls of whoever is on turn; by click or by keys.
import { useEffect, useRef, useState } from 'preact/hooks';
import { COMMANDS } from '../../generated/commands';
import type { View, View_Item } from '../../generated/objectron';
import { isSame } from '../../proto/legal';
import { SeatName } from '../../ui/parts';
import { both } from '../../words/say';
import type { BoardProps } from '../face';
import { classes } from '../../ui/classes';
import { Grid, ITEMS, ItemShape, STEPS, wayWords } from './grid';

const NAMES = (COMMANDS['objectron']?.['move']?.[0]?.[1] ?? {}) as Record<string, string>;
// Around the S of a keyboard, and the same on a number block; the arrows for the four main ways.
const KEYS: Record<string, number> = {
    w: 1,
    e: 2,
    d: 3,
    c: 4,
    x: 5,
    z: 6,
    y: 6,
    a: 7,
    q: 8,
    arrowup: 1,
    arrowright: 3,
    arrowdown: 5,
    arrowleft: 7,
    '8': 1,
    '9': 2,
    '6': 3,
    '3': 4,
    '2': 5,
    '1': 6,
    '4': 7,
    '7': 8,
};
const ARROWS: Record<number, string> = { 1: '↑', 3: '→', 5: '↓', 7: '←' };

export function Board(props: BoardProps) {
    const view = props.view as View;
    const { choices, toAct, seat } = props;
    const own = (view.players ?? []).find((one) => one.id === seat);
    const ways = toAct ? choices.values('move', 0) : [];
    const steps = ways.map((direction) => {
        const [dx, dy] = STEPS[NAMES[direction] ?? ''] ?? [0, 0];
        return [(own?.at?.x ?? 0) + dx, (own?.at?.y ?? 0) + dy, direction] as const;
    });
    // Ways that are not open: who clicks there hears why not.
    const closed =
        toAct && own?.at
            ? Object.keys(NAMES).flatMap((one) => {
                  const [dx, dy] = STEPS[NAMES[Number(one)] ?? ''] ?? [0, 0];
                  const place = [(own.at?.x ?? 0) + dx, (own.at?.y ?? 0) + dy, Number(one)] as const;
                  const isInside =
                      place[0] >= 0 && place[0] < (view.width ?? 0) && place[1] >= 0 && place[1] < (view.height ?? 0);
                  return (dx === 0 && dy === 0) || !isInside || ways.includes(Number(one)) ? [] : [place];
              })
            : [];
    const step = (direction: number) => void props.play(choices.command('move', direction));
    useEffect(() => {
        const keys = (event: KeyboardEvent) => {
            if (
                /INPUT|SELECT|TEXTAREA/.test((event.target as HTMLElement).tagName) ||
                event.ctrlKey ||
                event.metaKey ||
                event.altKey
            )
                return;
            const direction = KEYS[event.key.toLowerCase()];
            if (!toAct || direction === undefined) return;
            event.preventDefault();
            // A way that is not open is asked for all the same: the house says why not.
            step(direction);
        };
        document.addEventListener('keydown', keys);
        return () => document.removeEventListener('keydown', keys);
    });
    return (
        <div class="objectron">
            <Riders {...props} />
            <div class="arena">
                <Grid
                    view={view}
                    steps={steps}
                    closed={closed}
                    hinted={ways.find((way) => isSame(props.hinted, choices.command('move', way)))}
                    onStep={step}
                    names={(one) => props.name(one)}
                />
            </div>
            {toAct ? <Controls {...props} items={own?.inventory ?? []} view={view} /> : null}
            <Legend view={view} />
        </div>
    );
}

function Riders(props: BoardProps) {
    const view = props.view as View;
    return (
        <ul class="riders">
            {(view.players ?? []).map((player) => {
                const id = player.id ?? 0;
                const isNow = view.current_player === id && !view.over;
                const ails = [
                    player.alive === false ? both(['out', 'draußen']) : '',
                    player.skip_turns ? both(['skips {n}', 'setzt {n} aus'], { n: player.skip_turns }) : '',
                    player.pending_actions
                        ? both(['owes {n} {n|action|actions}', 'schuldet {n} {n|Aktion|Aktionen}'], {
                              n: player.pending_actions,
                          })
                        : '',
                    player.held ? both(['held by a field', 'von einem Feld gehalten']) : '',
                ].filter(Boolean);
                return (
                    <li
                        key={id}
                        class={`rider-row seat-${id}${isNow ? ' asked' : ''}${player.alive === false ? ' out' : ''}`}
                    >
                        <SeatName seat={id} name={`${id + 1}  ${props.name(id)}`} isYou={id === props.seat} />
                        {isNow ? (
                            <span
                                class="pips"
                                role="img"
                                aria-label={both(['{n} {n|action|actions} left', 'noch {n} {n|Aktion|Aktionen}'], {
                                    n: view.actions_left ?? 0,
                                })}
                            >
                                {Array.from({ length: view.limits?.actions_per_turn ?? 4 }, (_, n) => (
                                    <i key={n} class={n < (view.actions_left ?? 0) ? 'has' : ''} />
                                ))}
                            </span>
                        ) : null}
                        <span class="bag">
                            {(player.inventory ?? []).map((item) => (
                                <Small key={item.id} item={item} />
                            ))}
                        </span>
                        {ails.map((one) => (
                            <span key={one} class="chip warm">
                                {one}
                            </span>
                        ))}
                        {view.over && view.winner === id ? (
                            <span class="chip live">{both(['won', 'gewonnen'])}</span>
                        ) : null}
                    </li>
                );
            })}
        </ul>
    );
}

// What lies about, by name: who plays for the first time has not read the rules.
function Legend({ view }: { view: View }) {
    const kinds = new Map((view.items ?? []).filter((item) => item.at).map((item) => [item.kind ?? '', item]));
    return (
        <ul class="legend small soft" aria-label={both(['What lies on the grid', 'Was im Raster liegt'])}>
            {[...kinds].map(([kind, item]) => (
                <li key={kind}>
                    <Small item={item} /> <span aria-hidden="true">{both(ITEMS[kind] ?? ['?', '?'])}</span>
                </li>
            ))}
            {view.failures?.length ? (
                <li>
                    <i class="darksquare" aria-hidden="true" />{' '}
                    {both(['no power: ends the turn', 'kein Strom: beendet den Zug'])}
                </li>
            ) : null}
        </ul>
    );
}

function Small({ item }: { item: View_Item }) {
    return (
        <svg class="bagitem" viewBox="-9 -9 18 18" role="img" aria-label={both(ITEMS[item.kind ?? ''] ?? ['?', '?'])}>
            <ItemShape item={item} />
        </svg>
    );
}

// What lies where one stands.
function PickUps({
    here,
    choices,
    hinted,
    play,
}: Pick<BoardProps, 'choices' | 'hinted' | 'play'> & { here: View_Item[] }) {
    return (
        <>
            {here.map((item) => (
                <button
                    key={item.id}
                    class={classes('button', isSame(hinted, choices.command('pick_up', item.id)) && 'hinted')}
                    onClick={() => void play(choices.command('pick_up', item.id))}
                >
                    <Small item={item} />{' '}
                    {both(['Pick up: {x}', 'Aufheben: {x}'], { x: both(ITEMS[item.kind ?? ''] ?? ['?', '?']) })}
                </button>
            ))}
        </>
    );
}

function Controls({ choices, hinted, play, items, view }: BoardProps & { items: readonly View_Item[]; view: View }) {
    const [asksEnd, setAsksEnd] = useState(false);
    const warning = useRef<Promise<boolean>>();
    useEffect(() => setAsksEnd(false), [view.turn]);
    const here = choices
        .values('pick_up', 0)
        .map((id) => (view.items ?? []).find((item) => item.id === id))
        .filter(Boolean) as View_Item[];
    // The first time the house is only asked what would come of it, and says so; the second time it is meant.
    const end = () => {
        // Who clicks twice at once means it, too: the first answer is waited for.
        if (asksEnd) {
            setAsksEnd(false);
            void warning.current?.then(() => play(choices.command('end_turn', 1)));
            return;
        }
        setAsksEnd(true);
        warning.current = play(choices.command('end_turn', 0));
    };
    return (
        <div class="controls">
            <div class="buttons">
                <PickUps {...{ here, choices, hinted, play }} />
                {items.map((item) =>
                    choices.has('use', item.id) ? (
                        <span key={item.id} class="useitem">
                            <Small item={item} />
                            {choices.values('use', 1, item.id).filter((way) => way > 0).length > 0 ? (
                                choices.values('use', 1, item.id).map((way) => (
                                    <button
                                        key={way}
                                        class={classes(
                                            'button small',
                                            isSame(hinted, choices.command('use', item.id, way)) && 'hinted',
                                        )}
                                        aria-label={`${both(['Throw', 'Werfen'])} ${wayWords(NAMES[way])}`}
                                        onClick={() => void play(choices.command('use', item.id, way))}
                                    >
                                        {ARROWS[way] ?? way}
                                    </button>
                                ))
                            ) : (
                                <button class="button small" onClick={() => void play(choices.command('use', item.id))}>
                                    {both(['Put down', 'Ablegen'])}
                                </button>
                            )}
                        </span>
                    ) : null,
                )}
                <button class={classes('button', asksEnd && 'main', hinted?.['end_turn'] && 'hinted')} onClick={end}>
                    {asksEnd ? both(['Yes, end the turn', 'Ja, Zug beenden']) : both(['End the turn', 'Zug beenden'])}
                </button>
                {asksEnd ? (
                    <button class="button plain" onClick={() => setAsksEnd(false)}>
                        {both(['Go on', 'Weiter'])}
                    </button>
                ) : null}
            </div>
            <p class="small soft">
                {both([
                    'Click a lit square, or use the keys around S (Q W E A D Z X C).',
                    'Klicke ein leuchtendes Feld an, oder nimm die Tasten um das S (Q W E A D Y X C).',
                ])}
            </p>
        </div>
    );
}
