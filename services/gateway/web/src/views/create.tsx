// create.tsx: opens a table: game, set-up with a look at it, seats, time, who may come.
import { useSignal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { GAMES, infoOf } from '../games/face';
import { Emblem } from '../games/emblem';
import { Preview } from '../games/preview';
import { ask } from '../net/house';
import { hexOf } from '../net/ids';
import { setupFile, setupsOf } from '../proto/setup';
import { Dialog } from '../ui/parts';
import { go } from '../ui/route';
import { answerWords } from '../words/refusals';
import { both, language, t } from '../words/say';

const OWN = '(own)';
const TIMES = [0, 30, 60, 120, 300, 900];

export function timeWords(ms: number): string {
    const seconds = Math.round(ms / 1000);
    if (seconds === 0) return t('no_limit');
    return seconds < 120 ? t('seconds', { n: seconds }) : t('minutes', { n: Math.round(seconds / 60) });
}

// The dead have three editions: fate cards make one of a set-up, and of the others one chooses.
function editionOf(game: string, setup: string, text: string, chosen: string): string | undefined {
    if (game !== 'dead') return undefined;
    return hasFates(setup, text) ? 'crossroads' : chosen === 'base' ? undefined : chosen;
}
function hasFates(setup: string, text: string): boolean {
    return setup === OWN ? /"crossroads"\s*:/.test(text) : setup.includes('crossroads');
}

function Edition({ chosen }: { chosen: Signal<string> }) {
    return (
        <label class="field"><span>{t('edition')}</span>
            <select class="input" value={chosen.value} onChange={(event) => { chosen.value = event.currentTarget.value; }}>
                <option value="base">{t('edition_base')}</option><option value="equipment">{t('edition_equipment')}</option></select></label>
    );
}

function noJson(text: string): string {
    try {
        JSON.parse(text);
        return '';
    } catch (fault) {
        return (fault as Error).message;
    }
}

function Check({ of, words }: { of: Signal<boolean>; words: string }) {
    return <label class="check"><input type="checkbox" checked={of.value} onChange={(event) => { of.value = event.currentTarget.checked; }} /> {words}</label>;
}

// Text to be changed: at first that of the set-up which was chosen before.
function OwnSetup({ text, mayRig }: { text: Signal<string>; mayRig: Signal<boolean> }) {
    return (
        <div class="stack"><label class="field"><span>{t('own_text')}</span>
            <textarea class="input own" rows={9} spellcheck={false} value={text.value} onInput={(event) => { text.value = event.currentTarget.value; }} /></label>
            <p class="small soft">{t('own_more')}</p>
            <Check of={mayRig} words={t('may_rig')} /></div>
    );
}

// How many may sit is the set-up's to say, where it says so.
// Whoever has chosen meanwhile is not overruled.
function useSetup(game: string, setup: string, own: Signal<string>, seats: Signal<number>, most: Signal<number>, chosen: Signal<string>): void {
    const [fewest, usual] = infoOf(game)!.seats;
    useEffect(() => {
        if (setup === OWN) return undefined;
        let isLate = false;
        void setupFile(game, setup).then((file) => {
            // Whoever writes one of his own meanwhile is not overwritten.
            if (!isLate || own.value === '') own.value = JSON.stringify(file ?? {}, null, 2);
            if (isLate) return;
            most.value = (file as { maxPlayers?: number } | undefined)?.maxPlayers ?? usual;
            if (chosen.value !== game) seats.value = Math.min(Math.max(fewest, 4), most.value);
            else seats.value = Math.min(seats.value, most.value);
        });
        return () => { isLate = true; };
    }, [game, setup]);
}

export function CreateTable({ onClose }: { onClose: () => void }) {
    const game = useSignal('quests');
    const setup = useSignal('standard');
    const seats = useSignal(4);
    const chosen = useSignal(''); // The game for which somebody chose the seats.
    const seconds = useSignal(120);
    const isPrivate = useSignal(false);
    const watched = useSignal(true);
    const bots = useSignal(true);
    const fault = useSignal('');
    const own = useSignal('');
    const mayRig = useSignal(false);
    const edition = useSignal('base');
    const hotseat = useSignal(false);
    const onlyWatch = useSignal(false);
    const isOwn = setup.value === OWN;
    const info = infoOf(game.value)!;
    const most = useSignal(info.seats[1]);
    const isFixed = info.seats[0] === info.seats[1] || game.value === 'objectron';
    const list = setupsOf(game.value);
    useEffect(() => { setup.value = (list.find((one) => one.name === 'standard') ?? list[0])?.name ?? ''; }, [game.value]);
    useSetup(game.value, setup.value, own, seats, most, chosen);
    const create = async (event: Event) => {
        event.preventDefault();
        const why = isOwn ? noJson(own.value) : '';
        if (why !== '') { fault.value = t('no_json', { why }); return; }
        const options = { edition: editionOf(game.value, setup.value, own.value, edition.value), rigged: isOwn && mayRig.value ? true : undefined };
        const answer = await ask({ create_table: { game: game.value, ...(isOwn ? { setup: own.value } : { setup_name: setup.value }),
            options: options.edition || options.rigged ? JSON.stringify(options) : undefined,
            seats: isFixed || isOwn ? undefined : seats.value, hotseat: hotseat.value || undefined, seated: onlyWatch.value ? false : undefined,
            private_table: isPrivate.value, spectators: watched.value,
            turn_ms: seconds.value > 0 ? String(seconds.value * 1000) : undefined } });
        if (answer.verdict !== 'VERDICT_DONE' || !answer.table) { fault.value = answerWords(answer) || t('not_now'); return; }
        if (bots.value && !hotseat.value) await ask({ fill_with_bots: { table: answer.table.table } });
        onClose();
        go(`/table/${hexOf(answer.table.table)}`);
    };
    const counts = Array.from({ length: most.value - info.seats[0] + 1 }, (_, n) => info.seats[0] + n);
    return (
        <Dialog title={t('create_table')} onClose={onClose}>
            <form class="stack" onSubmit={create}>
                <div class="pickgame" role="radiogroup" aria-label={t('game')}>{GAMES.map((one) => (
                    <button type="button" key={one.id} role="radio" aria-checked={game.value === one.id} onClick={() => { game.value = one.id; }}>
                        <Emblem game={one.id} size={40} /><span>{both(one.title)}</span></button>))}</div>
                <label class="field"><span>{t('setup')}</span>
                    <select class="input" value={setup.value} onChange={(event) => { setup.value = event.currentTarget.value; }}>
                        {list.map((one) => <option key={one.name} value={one.name}>{one.title[language.value] ? `${one.title[language.value]} (${one.name})` : one.name}</option>)}<option value={OWN}>{t('own_setup')}</option></select></label>
                {isOwn ? <OwnSetup text={own} mayRig={mayRig} /> : <Preview game={game.value} setup={setup.value} />}
                <div class="pairs">
                    {!isFixed && !isOwn && counts.length > 1 ? <label class="field"><span>{t('seats')}</span>
                        <select class="input" value={seats.value} onChange={(event) => { seats.value = Number(event.currentTarget.value); chosen.value = game.value; }}>
                            {counts.map((n) => <option key={n} value={n}>{n}</option>)}</select></label> : null}
                    {game.value === 'dead' && !hasFates(setup.value, own.value) ? <Edition chosen={edition} /> : null}
                    <label class="field"><span>{t('time_limit')}</span>
                        <select class="input" value={seconds.value} onChange={(event) => { seconds.value = Number(event.currentTarget.value); }}>
                            {TIMES.map((n) => <option key={n} value={n}>{timeWords(n * 1000)}</option>)}</select></label>
                    <label class="field"><span>{t('who_may_join')}</span>
                        <select class="input" value={isPrivate.value ? 'link' : 'all'} onChange={(event) => { isPrivate.value = event.currentTarget.value === 'link'; }}>
                            <option value="all">{t('public_table')}</option><option value="link">{t('by_link')}</option></select></label>
                </div>
                <div class="checks"><Check of={hotseat} words={t('hotseat')} />
                <label class="check"><input type="checkbox" checked={bots.value && !hotseat.value} disabled={hotseat.value} onChange={(event) => { bots.value = event.currentTarget.checked; }} /> {t('free_filled')}</label>
                <Check of={onlyWatch} words={t('only_watch')} />
                <Check of={watched} words={t('allow_watching')} /></div>
                {fault.value ? <p class="notice bad faults" role="alert">{fault.value}</p> : null}
                <button class="button main">{t('create_table')}</button>
            </form>
        </Dialog>
    );
}
