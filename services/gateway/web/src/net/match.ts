// match.ts: one match as this tab sees it: the view, what happened, what the own seat may do, and whose turn it is.
//
// Acts come one by one as Happened. After them the view is asked for again, once for all that came in quick
// succession: so the board is always what the house says it is, and never a sum of this page's own making.
import { signal } from '@preact/signals';
import type { Down, Event, Happened, Legal, Shown } from '../generated/browser';
import type { DiceRound, MatchFacts } from '../generated/engine';
import type { GameMessage } from '../proto/game';
import { Choices } from '../proto/legal';
import type { Door } from './door';

// The door takes thirty messages in ten seconds of each tab: looks are to leave room for what the player says.
const LOOK_AFTER_MS = 40;
const LOOK_GAP_MS = 650;
const LOG_MOST = 600;

export interface LogEntry { number: number; event: Event }

export class Match {
    readonly facts = signal<MatchFacts | null>(null);
    readonly view = signal<GameMessage | null>(null);
    readonly number = signal(0);
    readonly asks = signal<GameMessage[]>([]);
    readonly toAct = signal(false);
    readonly deadline = signal<number | null>(null);
    readonly dice = signal<DiceRound | null>(null);
    readonly over = signal(false);
    readonly gone = signal('');
    readonly proved = signal<Down['over'] | null>(null);
    readonly log = signal<LogEntry[]>([]);
    readonly fresh = signal<LogEntry[]>([]);
    readonly choices = signal(new Choices('', undefined));
    readonly refusal = signal('');
    readonly busy = signal(false);
    readonly crowd = signal(0);
    private looking: ReturnType<typeof setTimeout> | undefined;
    private looked = 0;
    private heard = 0;

    constructor(readonly id: string, private readonly door: Door, readonly seat: number | undefined) {}

    get game(): string {
        return this.facts.value?.game ?? '';
    }

    // Begins, and after a lost connection goes on: acts this tab has are not sent again.
    begin(code?: string): void {
        if (this.seat !== undefined) this.look();
        else if (this.heard > 0) void this.door.ask({ watch: { match_id: this.id, code, after: String(this.heard) } });
        else void this.door.ask({ watch: { match_id: this.id, code } }).then((down) => {
            // Without a sentence it is this page's own refusal: the connection fell, and begin() comes again.
            if (down.refused?.sentence) this.gone.value = down.refused.sentence;
        });
    }
    end(): void {
        if (this.seat === undefined) this.door.send({ unwatch: { match_id: this.id } });
    }

    look(): void {
        if (this.looking !== undefined) return;
        const wait = Math.max(LOOK_AFTER_MS, this.looked + LOOK_GAP_MS - Date.now());
        this.looking = setTimeout(() => {
            this.looking = undefined;
            this.looked = Date.now();
            this.door.send({ look: { match_id: this.id, seat: this.seat, legal: this.seat !== undefined,
                luck: this.seat === undefined ? undefined : String(Math.floor(Math.random() * 2 ** 40)) } });
        }, wait);
    }

    async play(command: GameMessage): Promise<boolean> {
        if (this.seat === undefined || this.busy.value) return false;
        this.busy.value = true;
        this.refusal.value = '';
        const down = await this.door.ask({ play: { match_id: this.id, seat: this.seat, command } });
        this.busy.value = false;
        if (down.played?.accepted) {
            this.look();
            return true;
        }
        this.refusal.value = down.played?.sentence || down.refused?.sentence || '…';
        if (down.played?.unsure || down.refused) this.look();
        return false;
    }

    // What the house would do: a hint for whoever is stuck.
    async hint(): Promise<GameMessage | undefined> {
        const down = await this.door.ask({ look: { match_id: this.id, seat: this.seat, legal: true, best: true } });
        return down.legal?.best;
    }

    shown(shown: Shown): void {
        if (shown.match) this.facts.value = shown.match;
        this.number.value = Number(shown.number ?? 0);
        this.heard = Math.max(this.heard, this.number.value);
        this.asks.value = shown.asks ?? [];
        this.toAct.value = shown.to_act ?? false;
        this.deadline.value = shown.left_ms === undefined ? null : Date.now() + Number(shown.left_ms);
        this.dice.value = shown.dice ?? null;
        if (shown.view) this.view.value = shown.view;
        if (shown.over) this.over.value = true;
        if (!this.toAct.value || this.over.value) this.nothingToDo();
    }
    // Whose turn it is not, and who plays no more, sees nothing lit.
    private nothingToDo(): void {
        this.toAct.value = false;
        if (this.choices.value.any) this.choices.value = new Choices(this.game, undefined);
    }
    allowed(legal: Legal): void {
        if (!this.over.value) this.choices.value = new Choices(this.game, legal);
    }
    happened(happened: Happened): void {
        const number = Number(happened.number ?? 0);
        if (number <= this.heard && this.log.value.some((entry) => entry.number === number)) return;
        this.heard = Math.max(this.heard, number);
        const entries = (happened.events ?? []).map((event) => ({ number, event }));
        this.log.value = [...this.log.value, ...entries].slice(-LOG_MOST);
        this.fresh.value = entries;
        this.look();
    }
    ended(down: Down): void {
        this.over.value = true;
        this.nothingToDo();
        this.proved.value = down.over ?? null;
        this.look();
    }
}
