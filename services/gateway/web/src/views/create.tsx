// create.tsx: opens a table: game, set-up with a look at it, seats, time, who may come.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { GAMES, infoOf } from '../games/face';
import { Emblem } from '../games/emblem';
import { Preview } from '../games/preview';
import { ask } from '../net/house';
import { hexOf } from '../net/ids';
import { setupFile, setupsOf } from '../proto/setup';
import { Dialog } from '../ui/parts';
import { go } from '../ui/route';
import { both, language, t } from '../words/say';

const TIMES = [0, 30, 60, 120, 300, 900];

export function timeWords(ms: number): string {
    const seconds = Math.round(ms / 1000);
    if (seconds === 0) return t('no_limit');
    return seconds < 120 ? t('seconds', { n: seconds }) : t('minutes', { n: Math.round(seconds / 60) });
}

export function CreateTable({ onClose }: { onClose: () => void }) {
    const game = useSignal('quests');
    const setup = useSignal('standard');
    const seats = useSignal(4);
    const seconds = useSignal(120);
    const isPrivate = useSignal(false);
    const watched = useSignal(true);
    const bots = useSignal(true);
    const fault = useSignal('');
    const info = infoOf(game.value)!;
    const most = useSignal(info.seats[1]);
    const isFixed = info.seats[0] === info.seats[1] || game.value === 'objectron';
    const list = setupsOf(game.value);
    useEffect(() => {
        setup.value = (list.find((one) => one.name === 'standard') ?? list[0])?.name ?? '';
    }, [game.value]);
    // How many may sit is the set-up's to say, where it says so.
    useEffect(() => {
        void setupFile(game.value, setup.value).then((file) => {
            most.value = (file as { maxPlayers?: number } | undefined)?.maxPlayers ?? info.seats[1];
            seats.value = Math.min(Math.max(info.seats[0], 4), most.value);
        });
    }, [game.value, setup.value]);
    const create = async (event: Event) => {
        event.preventDefault();
        const edition = setup.value.includes('crossroads') ? 'crossroads' : undefined;
        const answer = await ask({ create_table: { game: game.value, setup_name: setup.value,
            options: edition ? JSON.stringify({ edition }) : undefined,
            seats: isFixed ? undefined : seats.value,
            private_table: isPrivate.value, spectators: watched.value,
            turn_ms: seconds.value > 0 ? String(seconds.value * 1000) : undefined } });
        if (answer.verdict !== 'VERDICT_DONE' || !answer.table) { fault.value = answer.sentence || t('not_now'); return; }
        if (bots.value) await ask({ fill_with_bots: { table: answer.table.table } });
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
                        {list.map((one) => <option key={one.name} value={one.name}>{one.title[language.value] ? `${one.title[language.value]} (${one.name})` : one.name}</option>)}</select></label>
                <Preview game={game.value} setup={setup.value} />
                <div class="pairs">
                    {!isFixed && counts.length > 1 ? <label class="field"><span>{t('seats')}</span>
                        <select class="input" value={seats.value} onChange={(event) => { seats.value = Number(event.currentTarget.value); }}>
                            {counts.map((n) => <option key={n} value={n}>{n}</option>)}</select></label> : null}
                    <label class="field"><span>{t('time_limit')}</span>
                        <select class="input" value={seconds.value} onChange={(event) => { seconds.value = Number(event.currentTarget.value); }}>
                            {TIMES.map((n) => <option key={n} value={n}>{timeWords(n * 1000)}</option>)}</select></label>
                    <label class="field"><span>{t('who_may_join')}</span>
                        <select class="input" value={isPrivate.value ? 'link' : 'all'} onChange={(event) => { isPrivate.value = event.currentTarget.value === 'link'; }}>
                            <option value="all">{t('public_table')}</option><option value="link">{t('by_link')}</option></select></label>
                </div>
                <label class="check"><input type="checkbox" checked={bots.value} onChange={(event) => { bots.value = event.currentTarget.checked; }} /> {t('free_filled')}</label>
                <label class="check"><input type="checkbox" checked={watched.value} onChange={(event) => { watched.value = event.currentTarget.checked; }} /> {t('allow_watching')}</label>
                {fault.value ? <p class="notice bad" role="alert">{fault.value}</p> : null}
                <button class="button main">{t('create_table')}</button>
            </form>
        </Dialog>
    );
}
