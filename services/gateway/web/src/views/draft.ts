// draft.ts: a table that somebody is about to open: what was chosen for it so far, and opening it.
import { useSignal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { allGames, infoOf, type Opening } from '../games/face';
import { useOpening } from '../games/use';
import { ask } from '../net/house';
import { setupFile, setupsOf } from '../proto/setup';
import { answerWords } from '../words/refusals';
import { t } from '../words/say';
import { callsOf } from './levels';

// Instead of a set-up's name: one that is written here.
export const OWN = '(own)';

type Range = readonly [number, number];
// How few and how many may sit, and the game and set-up that say so.
interface Known {
    of: string;
    range: Range | null;
}

export interface Draft {
    game: Signal<string>;
    setup: Signal<string>;
    own: Signal<string>;
    mayRig: Signal<boolean>;
    more: Signal<string>; // What was chosen of the game's own.
    seats: Signal<number>;
    known: Signal<Known | null>; // Of the set-up that was read last.
    chosen: Signal<string>; // The game for which somebody chose the seats.
    seconds: Signal<number>;
    isPrivate: Signal<boolean>;
    watched: Signal<boolean>;
    bots: Signal<boolean>;
    levels: Signal<readonly number[]>; // Of the bots, one after the other.
    hotseat: Signal<boolean>;
    onlyWatch: Signal<boolean>;
    opening: Opening | null;
    isOwn: boolean;
}

export function useDraft(): Draft {
    const game = useSignal(allGames()[0] ?? '');
    const setup = useSignal('');
    const opening = useOpening(game.value);
    const draft = {
        game,
        setup,
        opening,
        isOwn: setup.value === OWN,
        own: useSignal(''),
        mayRig: useSignal(false),
        more: useSignal(''),
        seats: useSignal(4),
        known: useSignal<Known | null>(null),
        chosen: useSignal(''),
        seconds: useSignal(120),
        isPrivate: useSignal(false),
        watched: useSignal(true),
        bots: useSignal(true),
        levels: useSignal<readonly number[]>([]),
        hotseat: useSignal(false),
        onlyWatch: useSignal(false),
    };
    useEffect(() => {
        const list = setupsOf(game.value);
        draft.more.value = '';
        draft.levels.value = [];
        setup.value = (list.find((one) => one.name === 'standard') ?? list[0])?.name ?? OWN;
    }, [game.value]);
    useSetup(draft);
    return draft;
}

function keyOf({ game, setup }: Pick<Draft, 'game' | 'setup'>): string {
    return `${game.value}/${setup.value}`;
}
// Until a set-up is read nobody knows how many may sit: what the one before said is not true of it.
export function isReady(draft: Draft): boolean {
    return draft.isOwn || draft.known.value?.of === keyOf(draft);
}
function rangeOf(draft: Draft): Range | null {
    return isReady(draft) ? (draft.known.value?.range ?? null) : null;
}

// How many may sit is the set-up's to say, where it says so. Whoever has chosen meanwhile is not overruled.
function useSetup({ game, opening, setup, own, seats, known, chosen }: Draft): void {
    useEffect(() => {
        if (setup.value === OWN || !opening) return undefined;
        let isLate = false;
        const of = keyOf({ game, setup });
        // Without its file the table can be made all the same: the house knows the set-up by name.
        const read = setupFile(game.value, setup.value).catch(() => undefined);
        void read.then((file) => {
            // Whoever writes one of his own meanwhile is not overwritten.
            if (!isLate || own.value === '') own.value = JSON.stringify(file ?? {}, null, 2);
            if (isLate) return;
            const range = opening.seats?.(file ?? {}) ?? infoOf(game.value)?.seats ?? null;
            known.value = { of, range };
            const [fewest, most] = range ?? [4, 4];
            seats.value = Math.min(chosen.value === game.value ? seats.value : Math.max(fewest, 4), most);
        });
        return () => {
            isLate = true;
        };
    }, [game.value, setup.value, opening]);
}

// The numbers of seats one may choose from; none where there is nothing to choose.
export function countsOf(draft: Draft): number[] {
    const [fewest, most] = rangeOf(draft) ?? [0, 0];
    return draft.isOwn || fewest === most ? [] : Array.from({ length: most - fewest + 1 }, (_, n) => fewest + n);
}

// How many bots fill the table; 1 stands for all of them where nobody knows how many there will be.
export function botsOf(draft: Draft): number {
    if (draft.isOwn || rangeOf(draft) === null) return 1;
    return Math.max(1, draft.seats.value - (draft.onlyWatch.value ? 0 : 1));
}

// The set-up somebody writes here; nothing if it comes with the game.
export function ownText({ isOwn, own }: Draft): string {
    return isOwn ? own.value : '';
}

function noJson(text: string): string {
    try {
        JSON.parse(text);
        return '';
    } catch (fault) {
        return (fault as Error).message;
    }
}

function optionsOf(draft: Draft): string | undefined {
    const { opening, setup, more, isOwn, mayRig } = draft;
    const options = {
        ...opening?.options?.(setup.value, ownText(draft), more.value),
        ...(isOwn && mayRig.value ? { rigged: true } : {}),
    };
    const said = JSON.stringify(options);
    return said === '{}' ? undefined : said;
}

// The table's id; or why there is none.
export async function openTable(draft: Draft): Promise<{ table?: string; fault: string }> {
    const { game, setup, own, seats, seconds, isPrivate, watched, bots, hotseat, onlyWatch, isOwn } = draft;
    const why = isOwn ? noJson(own.value) : '';
    if (why !== '') return { fault: t('no_json', { why }) };
    const answer = await ask({
        create_table: {
            game: game.value,
            ...(isOwn ? { setup: own.value } : { setup_name: setup.value }),
            options: optionsOf(draft),
            seats: countsOf(draft).length > 0 ? seats.value : undefined,
            hotseat: hotseat.value || undefined,
            seated: onlyWatch.value ? false : undefined,
            private_table: isPrivate.value,
            spectators: watched.value,
            turn_ms: seconds.value > 0 ? String(seconds.value * 1000) : undefined,
        },
    });
    const table = answer.table?.table;
    if (answer.verdict !== 'VERDICT_DONE' || table === undefined) return { fault: answerWords(answer) || t('not_now') };
    if (bots.value && !hotseat.value)
        for (const call of callsOf(draft.levels.value, botsOf(draft)))
            await ask({ fill_with_bots: { table, ...call } });
    return { table, fault: '' };
}
