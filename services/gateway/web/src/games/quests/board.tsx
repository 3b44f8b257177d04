// board.tsx: a table for four: the players along the top, quest and attacks in the middle, one's hand below.
import { useEffect, useState } from 'preact/hooks';
import type { Card, Event_StageResolved, View } from '../../generated/quests';
import { COMMANDS } from '../../generated/commands';
import { isSame } from '../../proto/legal';
import { SeatName } from '../../ui/parts';
import { both } from '../../words/say';
import type { BoardProps } from '../face';
import { classes } from '../../ui/classes';
import { Backs, EventCard, Shields } from './cards';
import { Hand } from './hand';
import { Reveal } from './reveal';
import { Stages } from './stages';

const REVEAL_MS = 6000;

// The number of a card in a command, as the list of possible ones has it.
const NUMBERS = Object.fromEntries(
    Object.entries((COMMANDS['quests']?.['stage_add']?.[0]?.[1] ?? {}) as Record<string, string>).map(([n, name]) => [
        name,
        Number(n),
    ]),
);
export function numberOf(card: Card): number {
    return NUMBERS[card] ?? 0;
}

// What laying a card means in each phase.
const LAYS: Record<string, string> = { PHASE_BUILD: 'stage_add', PHASE_ATTACK: 'attack_add', PHASE_DISCARD: 'discard' };

export function Board(given: BoardProps) {
    const view = given.view as View;
    const resolved = useResolved(given);
    // Who goes on has seen it.
    const props: BoardProps = {
        ...given,
        play: (command) => {
            resolved?.done();
            return given.play(command);
        },
    };
    const kind = props.toAct ? LAYS[view.phase ?? ''] : undefined;
    const lay = (card: Card) => {
        if (kind) void props.play(props.choices.command(kind, numberOf(card)));
    };
    return (
        <div class="quests">
            <Players {...props} />
            <div class="felt">
                <div class="felttop">
                    <EventCard
                        card={view.event_card}
                        sponsor={view.quest?.sponsor === undefined ? undefined : props.name(view.quest.sponsor)}
                    />
                    <div class="piles small">
                        <span>
                            {both(['Adventure cards', 'Abenteuerkarten'])}{' '}
                            <b class="num">{view.adventure?.deck ?? 0}</b>{' '}
                            <span class="soft num">+{view.adventure?.discard ?? 0}</span>
                        </span>
                        <span>
                            {both(['Event cards', 'Ereigniskarten'])} <b class="num">{view.events?.deck ?? 0}</b>
                        </span>
                    </div>
                </div>
                {view.quest ? (
                    <Stages
                        view={view}
                        names={props}
                        canDrop={kind === 'stage_add' || kind === 'attack_add'}
                        onDrop={lay}
                    />
                ) : null}
                {resolved && kind !== 'stage_add' && kind !== 'attack_add' ? (
                    <Reveal what={resolved.what} names={props} onDone={resolved.done} />
                ) : null}
            </div>
            {props.seat !== undefined && !props.over ? <Questions {...props} /> : null}
            {props.seat !== undefined ? (
                <Hand cards={view.hand ?? []} choices={props.choices} hinted={props.hinted} kind={kind} onLay={lay} />
            ) : null}
            {view.winners?.length ? (
                <p class="winners" role="status">
                    {both(['{who} {n|has|have} won.', '{who} {n|hat|haben} gewonnen.'], {
                        who: view.winners.map((seat) => props.name(seat)).join(', '),
                        n: view.winners.length,
                    })}
                </p>
            ) : null}
        </div>
    );
}

// The reveal is a moment: it stays for some seconds, or until somebody clicks it away or goes on; it does not lie
// over what one lays.
function useResolved({ fresh, isReplay }: BoardProps): { what: Event_StageResolved; done: () => void } | null {
    const [what, setWhat] = useState<Event_StageResolved | null>(null);
    useEffect(() => {
        const found = fresh.map((entry) => entry.event.event?.['stage_resolved']).find(Boolean);
        if (found) setWhat(found);
        else if (isReplay) setWhat(null);
    }, [fresh]);
    useEffect(() => {
        if (!what || isReplay) return undefined;
        const timer = setTimeout(() => setWhat(null), REVEAL_MS);
        return () => clearTimeout(timer);
    }, [what]);
    return what ? { what, done: () => setWhat(null) } : null;
}

function Players(props: BoardProps) {
    const view = props.view as View;
    return (
        <ul class="knights">
            {(view.players ?? []).map((player) => {
                const id = player.id ?? 0;
                const isAsked = view.pending?.player === id && view.pending !== undefined;
                const marks = [
                    view.current === id && !view.winners?.length ? both(['on turn', 'am Zug']) : '',
                    view.quest?.sponsor === id ? both(['sponsor', 'Ausrichter']) : '',
                    view.quest?.participants?.includes(id) ? both(['on the quest', 'auf der Quest']) : '',
                ].filter(Boolean);
                return (
                    <li
                        key={id}
                        class={classes(
                            'knight',
                            `seat-${id}`,
                            isAsked && 'asked',
                            view.winners?.includes(id) && 'winner',
                        )}
                    >
                        <SeatName seat={id} name={props.name(id)} isYou={id === props.seat} />
                        <Shields count={player.shields ?? 0} of={view.winning_shields ?? 7} />
                        <div class="row between">
                            <Backs count={player.hand_count ?? 0} />
                            <span class="marks">
                                {marks.map((mark) => (
                                    <span class="chip" key={mark}>
                                        {mark}
                                    </span>
                                ))}
                            </span>
                        </div>
                    </li>
                );
            })}
        </ul>
    );
}

const notReady = () => both(['Not ready yet; click to hear why.', 'Noch nicht fertig; ein Klick sagt, warum.']);

// Every question is a pair of buttons, with a letter each for the keyboard.
function Questions({ choices, hinted, play, toAct, view }: BoardProps) {
    const buttons: { key: string; words: string; main?: boolean; kind: string; value?: number }[] = [
        { kind: 'sponsor', value: 1, key: 'y', main: true, words: both(['Sponsor it', 'Ausrichten']) },
        { kind: 'sponsor', value: 0, key: 'n', words: both(['Decline', 'Ablehnen']) },
        { kind: 'participate', value: 1, key: 'y', main: true, words: both(['Tackle it', 'Angehen']) },
        { kind: 'participate', value: 0, key: 'n', words: both(['Withdraw', 'Aussteigen']) },
        { kind: 'stage_done', key: 'd', main: true, words: both(['Stage is ready', 'Stufe fertig']) },
        { kind: 'attack_done', key: 'd', main: true, words: both(['Attack is ready', 'Angriff steht']) },
        { kind: 'stage_clear', key: 'c', words: both(['Take back', 'Zurücknehmen']) },
        { kind: 'quest_restart', key: 'r', words: both(['Build anew', 'Neu bauen']) },
        { kind: 'end_turn', key: 'e', main: true, words: both(['End the turn', 'Zug beenden']) },
    ];
    const has = (one: (typeof buttons)[number]) =>
        one.value === undefined ? choices.has(one.kind) : choices.has(one.kind, one.value);
    // Who builds may say at any time that the stage is ready: the house says why it is not.
    const isAsked = (one: (typeof buttons)[number]) =>
        has(one) || (one.kind === 'stage_done' && (view as View).phase === 'PHASE_BUILD');
    const open = toAct ? buttons.filter(isAsked) : [];
    const commandOf = (one: (typeof buttons)[number]) =>
        choices.command(one.kind, ...(one.value === undefined ? [] : [one.value]));
    const say = (one: (typeof buttons)[number]) => void play(commandOf(one));
    useEffect(() => {
        const keys = (event: KeyboardEvent) => {
            if (
                /INPUT|SELECT|TEXTAREA/.test((event.target as HTMLElement).tagName) ||
                event.ctrlKey ||
                event.metaKey ||
                event.altKey
            )
                return;
            const one = open.find((button) => button.key === event.key.toLowerCase());
            if (one) {
                event.preventDefault();
                say(one);
            }
        };
        document.addEventListener('keydown', keys);
        return () => document.removeEventListener('keydown', keys);
    });
    return (
        <div class="questions buttons">
            {toAct && choices.has('sponsor', 0) && !choices.has('sponsor', 1) ? (
                <span class="soft">
                    {both([
                        'Your hand could not build this quest.',
                        'Mit deiner Hand ließe sich diese Quest nicht bauen.',
                    ])}
                </span>
            ) : null}
            {open.map((one) => (
                <button
                    key={one.kind + String(one.value)}
                    class={classes(
                        'button',
                        has(one) ? one.main && 'main' : 'unready',
                        isSame(hinted, commandOf(one)) && 'hinted',
                    )}
                    title={has(one) ? undefined : notReady()}
                    aria-keyshortcuts={one.key}
                    onClick={() => say(one)}
                >
                    {one.words} <kbd aria-hidden="true">{one.key.toUpperCase()}</kbd>
                </button>
            ))}
        </div>
    );
}
