// match.ts: one match as this tab sees it: the view, what happened, what the own seat may do, and whose turn it is.
//
// Acts come one by one as Happened, and behind them, unasked, the view and what may be done: so the board is always
// what the house says it is, and never a sum of this page's own making. Both may be lost on their way. Then they are
// asked for, once, after a while.
import { signal } from '@preact/signals';
import type { Down, Event, Happened, Legal, Shown } from '../generated/browser';
import type { DiceRound, MatchFacts } from '../generated/engine';
import type { GameMessage } from '../proto/game';
import { Choices } from '../proto/legal';
import { codeOf, keepCode } from './codes';
import type { Door } from './door';

const LATE_MS = 1000;
const AGAIN_MS = 500;
const AGAIN_MOST_MS = 8000;
const TRIES_MOST = 5;
const LOG_MOST = 600;
const PAST_MOST = 400;

export interface LogEntry {
    number: number;
    event: Event;
}

// What may be so only now: the engine is away, the match is moving, too much was asked at once.
const PASSING: readonly (string | undefined)[] = [
    'REFUSAL_AGAIN',
    'REFUSAL_ELSEWHERE',
    'REFUSAL_ATTACH_AGAIN',
    'REFUSAL_DRAINING',
];

// What a command of an open kind is drawn from.
function luck(): string {
    return String(Math.floor(Math.random() * 2 ** 40));
}

export class Match {
    readonly facts = signal<MatchFacts | null>(null);
    readonly view = signal<GameMessage | null>(null);
    readonly past = signal<readonly GameMessage[]>([]);
    readonly number = signal(0);
    readonly asks = signal<GameMessage[]>([]);
    readonly toAct = signal(false);
    readonly deadline = signal<number | null>(null);
    readonly dice = signal<DiceRound | null>(null);
    readonly over = signal(false);
    // The board shows how it ended.
    readonly isWhole = signal(false);
    readonly gone = signal<Down | null>(null);
    readonly proved = signal<Down['over'] | null>(null);
    readonly log = signal<LogEntry[]>([]);
    readonly fresh = signal<LogEntry[]>([]);
    readonly choices = signal(new Choices('', undefined));
    // What the last play was answered, if it was not done.
    readonly refusal = signal<Down | null>(null);
    readonly busy = signal(false);
    // What the house would do, as long as the board is the one it was asked about.
    readonly hinted = signal<GameMessage | null>(null);
    readonly crowd = signal(0);
    // Who watches may have it go by at his own pace, in views a second; 0: it stands still.
    readonly pace = signal(Infinity);
    readonly behind = signal(0);
    private waiting: { isView: boolean; show: () => void }[] = [];
    private next: ReturnType<typeof setTimeout> | undefined;
    private late: ReturnType<typeof setTimeout> | undefined;
    private heard = 0;
    // The newest view and list that came, though who watches at a pace of his own may not have seen them yet.
    private viewed = 0;
    private listed = 0;
    private isAwaited = false;
    // After an own act: its number, and who waits for the board to show it. Until then nothing is sent, for what is
    // clicked on an old board is not what was meant.
    private due = 0;
    private caughtUp: (() => void) | undefined;
    // The first view has come. Who watches hears before it how it came about.
    private isBegun = false;
    private hasPast = false;
    // It is over, though who watches at a pace of his own may not have seen that yet.
    private isEnding = false;
    private isClosed = false;
    private again: ReturnType<typeof setTimeout> | undefined;

    // `code`: of a private table, as a link brought it; else what this device knows.
    constructor(
        readonly id: string,
        private readonly door: Pick<Door, 'ask' | 'send' | 'waitMs'>,
        readonly seat: number | undefined,
        private readonly code?: string,
    ) {}

    get game(): string {
        return this.facts.value?.game ?? '';
    }

    // Begins, and after a lost connection goes on: acts this tab has are not sent again. What happened before is told
    // once, as far back as the log goes.
    begin(): void {
        if (this.isEnding) return;
        if (this.seat !== undefined) this.look();
        else this.watch();
    }
    private watch(tries = 1): void {
        const since = this.heard > 0 ? { after: String(this.heard) } : { past: LOG_MOST };
        void this.door
            .ask({ watch: { match_id: this.id, code: this.code ?? codeOf(this.id), follow: true, ...since } })
            .then((down) =>
                this.refused(down, this.heard > 0 ? tries : Math.max(tries, TRIES_MOST), (next) => this.watch(next)),
            );
    }
    // What was refused for now is asked for again, ever more slowly; what is refused still after some tries is
    // refused for good, and said. A house that has just come back may not know yet who sat or looked here, so that
    // the first word is not the last.
    private refused(down: Down, tries: number, ask: (tries: number) => void): void {
        // Without a sentence it is this page's own refusal: the connection fell, and begin() comes again.
        if (!down.refused?.sentence || this.isEnding || this.isClosed) return;
        const isPassing = PASSING.includes(down.refused.refusal) || down.refused.after_ms !== undefined;
        if (!isPassing && tries >= TRIES_MOST) {
            this.gone.value = down;
            return;
        }
        clearTimeout(this.again);
        this.again = setTimeout(() => ask(tries + 1), Math.min(AGAIN_MS * (isPassing ? tries : 1), AGAIN_MOST_MS));
    }
    end(): void {
        this.isClosed = true;
        clearTimeout(this.again);
        clearTimeout(this.next);
        clearTimeout(this.late);
        if (this.seat === undefined) this.door.send({ unwatch: { match_id: this.id } });
    }

    look(tries = 1): void {
        const past = this.seat === undefined || this.hasPast ? undefined : LOG_MOST;
        this.hasPast = true;
        void this.door
            .ask({
                look: {
                    match_id: this.id,
                    seat: this.seat,
                    legal: this.seat !== undefined,
                    past,
                    luck: this.seat === undefined ? undefined : luck(),
                },
            })
            .then((down) => {
                if (down.refused && past !== undefined) this.hasPast = false;
                this.refused(down, tries, (next) => this.look(next));
            });
    }
    // View and list come unasked; those that have not come in time are asked for.
    private expect(): void {
        clearTimeout(this.late);
        const isShown = this.viewed >= Math.max(this.heard, this.due);
        const isListed = !this.isAwaited || this.listed >= this.viewed;
        if ((isShown && isListed) || this.isEnding || this.isClosed) return;
        this.late = setTimeout(() => this.look(), Math.max(LATE_MS, this.door.waitMs));
    }

    // True once the board shows what came of it; false if it was refused, or not even sent.
    async play(command: GameMessage): Promise<boolean> {
        if (this.seat === undefined || this.busy.value) return false;
        this.busy.value = true;
        this.refusal.value = null;
        const down = await this.door.ask({ play: { match_id: this.id, seat: this.seat, command } });
        if (down.played?.accepted) {
            this.due = Number(down.played.number ?? 0);
            const isShown = new Promise<void>((resolve) => {
                this.caughtUp = resolve;
            });
            this.expect();
            this.settle();
            await isShown;
            return true;
        }
        this.busy.value = false;
        // At the end nothing is left that could be refused.
        if (!this.isEnding) this.refusal.value = down;
        if (down.played?.unsure || down.refused) this.look();
        return false;
    }
    // The board is newer than the own act, and so is what may be done now.
    private settle(): void {
        const isShown = this.number.value >= this.due;
        const isListed = !this.toAct.value || Number(this.choices.value.legal?.number ?? 0) >= this.due;
        if (!this.caughtUp || (!this.isEnding && !(isShown && isListed))) return;
        this.busy.value = false;
        this.caughtUp();
        this.caughtUp = undefined;
    }

    // What the house would do: a hint for whoever is stuck. It comes with the list, and so behind the view.
    async hint(): Promise<GameMessage | undefined> {
        const look = { match_id: this.id, seat: this.seat, legal: true, best: true, luck: luck() };
        const { legal } = await this.door.ask({ look }, 'legal');
        if (legal?.best && Number(legal.number ?? 0) >= this.number.value) this.hinted.value = legal.best;
        return legal?.best;
    }

    // At once, unless one watches at a pace of one's own: then behind what came before.
    private inTime(isView: boolean, show: () => void): void {
        if (this.pace.value === Infinity && this.waiting.length === 0) {
            show();
            return;
        }
        this.waiting.push({ isView, show });
        this.goOn();
    }
    setPace(pace: number): void {
        this.pace.value = pace;
        clearTimeout(this.next);
        this.next = undefined;
        if (pace === Infinity) for (const { show } of this.waiting.splice(0)) show();
        this.goOn();
    }
    // One view at a time, with what happened before it.
    private goOn(): void {
        this.behind.value = this.waiting.filter((one) => one.isView).length;
        if (this.next !== undefined || this.waiting.length === 0 || this.pace.value === 0) return;
        this.next = setTimeout(() => {
            this.next = undefined;
            for (let one = this.waiting.shift(); one; one = one.isView ? undefined : this.waiting.shift()) one.show();
            this.goOn();
        }, 1000 / this.pace.value);
    }

    // One view answers all who had asked for one by then, so it may be older than what was heard meanwhile.
    shown(shown: Shown): void {
        const number = Number(shown.number ?? 0);
        this.heard = Math.max(this.heard, number);
        this.viewed = Math.max(this.viewed, number);
        this.isAwaited = this.seat !== undefined && shown.to_act === true;
        this.isBegun = true;
        if (shown.over) this.isEnding = true;
        // What was refused is there after all; and a code that led here leads to the replay, too.
        this.gone.value = null;
        keepCode(this.id, this.code);
        this.expect();
        this.inTime(true, () => this.show(shown));
    }
    private show(shown: Shown): void {
        const number = Number(shown.number ?? 0);
        if (shown.match) this.facts.value = shown.match;
        // A list may come before it is known what is played.
        const { legal, game } = this.choices.value;
        if (game !== this.game) this.choices.value = new Choices(this.game, legal);
        if (number > this.number.value) this.forget();
        this.number.value = number;
        this.asks.value = shown.asks ?? [];
        this.toAct.value = shown.to_act ?? false;
        this.deadline.value = shown.left_ms === undefined ? null : Date.now() + Number(shown.left_ms);
        this.dice.value = shown.dice ?? null;
        if (shown.view) {
            if (this.view.value) this.past.value = [...this.past.value, this.view.value].slice(-PAST_MOST);
            this.view.value = shown.view;
        }
        if (shown.over && shown.view) this.isWhole.value = true;
        if (shown.over) this.over.value = true;
        if (!this.toAct.value || this.over.value) this.nothingToDo();
        this.settle();
    }
    // What was said about the last view is not about this one.
    private forget(): void {
        this.refusal.value = null;
        this.hinted.value = null;
    }
    // Whose turn it is not, and who plays no more, sees nothing lit.
    private nothingToDo(): void {
        this.toAct.value = false;
        if (this.choices.value.any) this.choices.value = new Choices(this.game, undefined);
    }
    allowed(legal: Legal): void {
        const number = Number(legal.number ?? 0);
        this.listed = Math.max(this.listed, number);
        this.expect();
        if (number >= this.heard && !this.over.value) this.choices.value = new Choices(this.game, legal);
        this.settle();
    }
    // `isInStream`: as it happens; else it was asked for, or is being watched.
    happened(happened: Happened, isInStream: boolean): void {
        const number = Number(happened.number ?? 0);
        const entries = (happened.events ?? []).map((event) => ({ number, event }));
        if (number <= this.heard || (this.seat === undefined ? !this.isBegun : !isInStream)) {
            this.before(number, entries);
            return;
        }
        this.heard = number;
        this.inTime(false, () => {
            this.log.value = [...this.log.value, ...entries].slice(-LOG_MOST);
            this.fresh.value = entries;
        });
        // Who sits there now stands in what the match is, and that comes only with what is asked for.
        if (entries.some(({ event }) => event.house?.seat_changed)) this.look();
        else this.expect();
    }
    // What the board shows already is told where it belongs, and not as news. Acts told in order go behind all others.
    private before(number: number, entries: LogEntry[]): void {
        const { value } = this.log;
        const at = value.findIndex((entry) => entry.number >= number);
        if (at >= 0 && value[at]!.number === number) return;
        this.log.value = (
            at < 0 ? [...value, ...entries] : [...value.slice(0, at), ...entries, ...value.slice(at)]
        ).slice(-LOG_MOST);
    }
    ended(down: Down): void {
        this.isEnding = true;
        this.inTime(true, () => {
            this.over.value = true;
            this.nothingToDo();
            this.forget();
            this.settle();
            this.proved.value = down.over ?? null;
        });
        clearTimeout(this.late);
        if (this.viewed < this.heard) this.look();
    }
}
