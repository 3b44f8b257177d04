// chooser.tsx: what may be done, by name: a few commands as buttons, many as choices of their arguments.
import { useSignal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { GameMessage } from '../../proto/game';
import { isSame, type Choices } from '../../proto/legal';
import { classes } from '../../ui/classes';
import { t } from '../../words/say';
import { OPEN, type Teller } from '../tell';
import { argumentsOf, type Aim } from './aim';

// So many commands of a kind have a button each with all its words, so many values of an argument have one with only
// the value, and what is more is counted or picked.
const BUTTONS_MOST = 8;
const WORDS_MOST = 4;
const VALUES_MOST = 12;

interface Given {
    choices: Choices;
    teller: Teller;
    play: (command: GameMessage) => void;
    busy: boolean;
    hinted?: GameMessage | null;
}

function deed(teller: Teller, command: GameMessage): string {
    return teller.sentence('commands', command) ?? '';
}

function Button({ choices, teller, play, busy, hinted, aim, isMain }: Given & { aim: Aim; isMain?: boolean }) {
    const command = choices.command(aim.kind, ...aim.values);
    return (
        <button
            class={classes('button', isMain && 'main', isSame(hinted, command) && 'hinted')}
            disabled={busy}
            onClick={() => play(command)}
        >
            {deed(teller, command)}
        </button>
    );
}

function inRow(values: readonly number[]): boolean {
    return values.every((value, n) => n === 0 || value === values[n - 1]! + 1);
}

// One more or one less, or a number that is typed.
function Stepper({
    label,
    values,
    value,
    choose,
}: {
    label: string;
    values: readonly number[];
    value: number;
    choose: (value: number) => void;
}) {
    const least = values[0]!;
    const most = values[values.length - 1]!;
    const go = (to: number) => {
        if (to >= least && to <= most) choose(to);
    };
    return (
        <span class="stepper">
            <button
                type="button"
                class="button"
                aria-label={`${label}: −1`}
                disabled={value <= least}
                onClick={() => go(value - 1)}
            >
                −
            </button>
            <input
                class="input num"
                type="number"
                min={least}
                max={most}
                value={value}
                aria-label={label}
                onInput={(event) => go(Number(event.currentTarget.value))}
            />
            <button
                type="button"
                class="button"
                aria-label={`${label}: +1`}
                disabled={value >= most}
                onClick={() => go(value + 1)}
            >
                +
            </button>
            <span class="soft small num">
                {least}–{most}
            </span>
        </span>
    );
}

function Values({
    label,
    text,
    values,
    value,
    choose,
}: {
    label: string;
    text: (value: number) => string;
    values: readonly number[];
    value: number;
    choose: (value: number) => void;
}) {
    if (values.length > VALUES_MOST && inRow(values))
        return <Stepper label={label} values={values} value={value} choose={choose} />;
    if (values.length > VALUES_MOST)
        return (
            <select
                class="input"
                aria-label={label}
                value={value}
                onChange={(event) => choose(Number(event.currentTarget.value))}
            >
                {values.map((one) => (
                    <option key={one} value={one}>
                        {text(one)}
                    </option>
                ))}
            </select>
        );
    return (
        <span class="segments" role="radiogroup" aria-label={label}>
            {values.map((one) => (
                <button
                    type="button"
                    key={one}
                    role="radio"
                    class="button"
                    aria-checked={one === value}
                    onClick={() => choose(one)}
                >
                    {text(one)}
                </button>
            ))}
        </span>
    );
}

// What was chosen, as far as it may be; from where it may not, the first value that may.
export function settled(choices: Choices, kind: string, chosen: readonly (number | undefined)[]): number[] {
    const values: number[] = [];
    for (;;) {
        const may = choices.values(kind, values.length, ...values);
        const wish = chosen[values.length];
        const next = wish !== undefined && may.includes(wish) ? wish : may[0];
        if (next === undefined) return values;
        values.push(next);
    }
}

// An argument after the other, each with the values that those before it leave; below them the command that they make.
function Composer(given: Given & { kind: string; chosen: Signal<Aim | null> }) {
    const { choices, teller, kind, chosen } = given;
    const values = settled(choices, kind, chosen.value?.kind === kind ? chosen.value.values : []);
    const choose = (at: number, value: number) => {
        chosen.value = { kind, values: [...values.slice(0, at), value, ...values.slice(at + 1)] };
    };
    const said = (name: string, value: number) => {
        const at = argumentsOf(choices.game, kind).indexOf(name);
        const fields = choices.command(kind, ...values.slice(0, at), value)[kind];
        return teller.text(name, fields?.[name] ?? value);
    };
    return (
        <div class="composer">
            {argumentsOf(choices.game, kind)
                .slice(0, values.length)
                .map((name, at) => (
                    <div class="argument" key={name}>
                        <span class="small soft">{teller.label(name)}</span>
                        <Values
                            label={teller.label(name)}
                            text={(value) => said(name, value)}
                            value={values[at]!}
                            values={choices.values(kind, at, ...values.slice(0, at)).sort((a, b) => a - b)}
                            choose={(value) => choose(at, value)}
                        />
                    </div>
                ))}
            <Button {...given} aim={{ kind, values }} isMain />
        </div>
    );
}

// Of a command with one argument the words once, and a button for each value.
function Row({ choices, teller, play, busy, hinted, kind, list }: Given & { kind: string; list: readonly number[][] }) {
    const [name = ''] = argumentsOf(choices.game, kind);
    return (
        <div class="onerow">
            <span class="soft">{deed(teller, { [kind]: { [name]: OPEN } })}</span>
            <span class="segments">
                {list.map((values) => {
                    const command = choices.command(kind, ...values);
                    const words = deed(teller, command);
                    return (
                        <button
                            type="button"
                            key={values[0]}
                            class={classes('button', isSame(hinted, command) && 'hinted')}
                            disabled={busy}
                            title={words}
                            aria-label={words}
                            onClick={() => play(command)}
                        >
                            {teller.text(name, command[kind]?.[name] ?? values[0])}
                        </button>
                    );
                })}
            </span>
        </div>
    );
}

type Shape = 'words' | 'row' | 'composer';

function shapeOf(list: readonly number[][]): Shape {
    const isOneArgument = list.every((values) => values.length === 1);
    if (list.length <= WORDS_MOST) return 'words';
    if (isOneArgument && list.length <= VALUES_MOST) return 'row';
    return list.length <= BUTTONS_MOST ? 'words' : 'composer';
}

export function Chooser(given: Given & { aimed: Signal<Aim | null> }) {
    const { choices, teller, play, aimed } = given;
    const chosen = useSignal<Aim | null>(null);
    useEffect(() => {
        if (aimed.value) chosen.value = aimed.value;
    }, [aimed.value]);
    const kinds = choices.kinds().map((kind) => {
        const list = choices.all(kind, VALUES_MOST + 1);
        return { kind, list, shape: shapeOf(list) };
    });
    const spelled = kinds.filter(({ shape }) => shape === 'words');
    const proposal = choices.legal?.proposal;
    return (
        <div class="chooser">
            {kinds.map(({ kind, list, shape }) =>
                shape === 'composer' ? (
                    <Composer key={kind} {...given} kind={kind} chosen={chosen} />
                ) : shape === 'row' ? (
                    <Row key={kind} {...given} kind={kind} list={list} />
                ) : null,
            )}
            {spelled.length > 0 || proposal ? (
                <div class="buttons">
                    {spelled.flatMap(({ kind, list }) =>
                        list.map((values) => (
                            <Button key={`${kind} ${values.join(' ')}`} {...given} aim={{ kind, values }} />
                        )),
                    )}
                    {proposal ? (
                        <button class="button" onClick={() => play(proposal)}>
                            {t('proposal', { what: deed(teller, proposal) })}
                        </button>
                    ) : null}
                </div>
            ) : null}
        </div>
    );
}
