// create.tsx: opens a table: game, set-up with a look at it, seats, time, who may come.
import { useSignal, type Signal } from '@preact/signals';
import { Emblem } from '../games/emblem';
import { allGames, titleOf } from '../games/face';
import { Preview } from '../games/preview';
import type { Listed } from '../generated/setups';
import { hexOf } from '../net/ids';
import { setupsOf, titleOfSetup } from '../proto/setup';
import { Dialog } from '../ui/parts';
import { go } from '../ui/route';
import { t } from '../words/say';
import { botsOf, countsOf, isReady, openTable, OWN, ownText, useDraft, type Draft } from './draft';
import { PickLevel } from './level';
import { USUAL } from './levels';

const TIMES = [0, 30, 60, 120, 300, 900];

export function timeWords(ms: number): string {
    const seconds = Math.round(ms / 1000);
    if (seconds === 0) return t('no_limit');
    return seconds < 120 ? t('seconds', { n: seconds }) : t('minutes', { n: Math.round(seconds / 60) });
}

function setupWords(setup: Listed): string {
    const title = titleOfSetup(setup);
    return title ? `${title} (${setup.name})` : setup.name;
}

function Check({ of, words }: { of: Signal<boolean>; words: string }) {
    return (
        <label class="check">
            <input
                type="checkbox"
                checked={of.value}
                onChange={(event) => {
                    of.value = event.currentTarget.checked;
                }}
            />{' '}
            {words}
        </label>
    );
}

// Text to be changed: at first that of the set-up which was chosen before.
function OwnSetup({ text, mayRig }: { text: Signal<string>; mayRig: Signal<boolean> }) {
    return (
        <div class="stack">
            <label class="field">
                <span>{t('own_text')}</span>
                <textarea
                    class="input own"
                    rows={9}
                    spellcheck={false}
                    value={text.value}
                    onInput={(event) => {
                        text.value = event.currentTarget.value;
                    }}
                />
            </label>
            <p class="small soft">{t('own_more')}</p>
            <Check of={mayRig} words={t('may_rig')} />
        </div>
    );
}

function PickGame({ game }: { game: Signal<string> }) {
    return (
        <div class="pickgame" role="radiogroup" aria-label={t('game')}>
            {allGames().map((one) => (
                <button
                    type="button"
                    key={one}
                    role="radio"
                    aria-checked={game.value === one}
                    onClick={() => {
                        game.value = one;
                    }}
                >
                    <Emblem game={one} size={40} />
                    <span>{titleOf(one)}</span>
                </button>
            ))}
        </div>
    );
}

function PickSetup({ draft: { game, setup, own, mayRig, isOwn } }: { draft: Draft }) {
    return (
        <>
            <label class="field">
                <span>{t('setup')}</span>
                <select
                    class="input"
                    value={setup.value}
                    onChange={(event) => {
                        setup.value = event.currentTarget.value;
                    }}
                >
                    {setupsOf(game.value).map((one) => (
                        <option key={one.name} value={one.name}>
                            {setupWords(one)}
                        </option>
                    ))}
                    <option value={OWN}>{t('own_setup')}</option>
                </select>
            </label>
            {isOwn ? <OwnSetup text={own} mayRig={mayRig} /> : <Preview game={game.value} setup={setup.value} />}
        </>
    );
}

function PickSeats({ draft }: { draft: Draft }) {
    const { game, seats, chosen } = draft;
    const counts = countsOf(draft);
    const choose = (count: number) => {
        seats.value = count;
        chosen.value = game.value;
    };
    if (counts.length === 0) return null;
    return (
        <label class="field">
            <span>{t('seats')}</span>
            <select
                class="input"
                name="seats"
                value={seats.value}
                onChange={(event) => choose(Number(event.currentTarget.value))}
            >
                {counts.map((n) => (
                    <option key={n} value={n}>
                        {n}
                    </option>
                ))}
            </select>
        </label>
    );
}

function PickTerms({ draft: { seconds, isPrivate } }: { draft: Draft }) {
    return (
        <>
            <label class="field">
                <span>{t('time_limit')}</span>
                <select
                    class="input"
                    value={seconds.value}
                    onChange={(event) => {
                        seconds.value = Number(event.currentTarget.value);
                    }}
                >
                    {TIMES.map((n) => (
                        <option key={n} value={n}>
                            {timeWords(n * 1000)}
                        </option>
                    ))}
                </select>
            </label>
            <label class="field">
                <span>{t('who_may_join')}</span>
                <select
                    class="input"
                    value={isPrivate.value ? 'link' : 'all'}
                    onChange={(event) => {
                        isPrivate.value = event.currentTarget.value === 'link';
                    }}
                >
                    <option value="all">{t('public_table')}</option>
                    <option value="link">{t('by_link')}</option>
                </select>
            </label>
        </>
    );
}

function Checks({ draft: { hotseat, bots, onlyWatch, watched } }: { draft: Draft }) {
    return (
        <div class="checks">
            <Check of={hotseat} words={t('hotseat')} />
            <label class="check">
                <input
                    type="checkbox"
                    checked={bots.value && !hotseat.value}
                    disabled={hotseat.value}
                    onChange={(event) => {
                        bots.value = event.currentTarget.checked;
                    }}
                />{' '}
                {t('free_filled')}
            </label>
            <Check of={onlyWatch} words={t('only_watch')} />
            <Check of={watched} words={t('allow_watching')} />
        </div>
    );
}

// One list for each bot that will sit there.
function PickLevels({ draft }: { draft: Draft }) {
    const { game, levels, bots, hotseat } = draft;
    const count = botsOf(draft);
    if (!bots.value || hotseat.value || !isReady(draft)) return null;
    const chosen = Array.from({ length: count }, (_, n) => levels.value[n] ?? USUAL);
    return (
        <div class="pairs">
            {chosen.map((level, n) => (
                <PickLevel
                    key={n}
                    game={game.value}
                    words={count === 1 ? t('bot_level') : t('bot_n', { n: n + 1 })}
                    level={level}
                    onPick={(wanted) => {
                        levels.value = chosen.map((one, at) => (at === n ? wanted : one));
                    }}
                />
            ))}
        </div>
    );
}

export function CreateTable({ onClose }: { onClose: () => void }) {
    const draft = useDraft();
    const fault = useSignal('');
    const Choice = draft.opening?.Choice;
    const create = async (event: Event) => {
        event.preventDefault();
        if (!isReady(draft)) return;
        const made = await openTable(draft);
        fault.value = made.fault;
        if (made.table === undefined) return;
        onClose();
        go(`/table/${hexOf(made.table)}`);
    };
    return (
        <Dialog title={t('create_table')} onClose={onClose}>
            <form class="stack" onSubmit={create}>
                <PickGame game={draft.game} />
                <PickSetup draft={draft} />
                <div class="pairs">
                    <PickSeats draft={draft} />
                    {Choice ? <Choice setup={draft.setup.value} own={ownText(draft)} chosen={draft.more} /> : null}
                    <PickTerms draft={draft} />
                </div>
                <Checks draft={draft} />
                <PickLevels draft={draft} />
                {fault.value ? (
                    <p class="notice bad faults" role="alert">
                        {fault.value}
                    </p>
                ) : null}
                <button class="button main" disabled={!isReady(draft)}>
                    {t('create_table')}
                </button>
            </form>
        </Dialog>
    );
}
