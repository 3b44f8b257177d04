// parts.tsx: small pieces that every view uses: a player's name, a dialog that holds the keyboard, a clock.
import type { Signal } from '@preact/signals';
import { createContext, type ComponentChildren } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../words/say';
import { Avatar } from './avatar';
import type { Word } from '../words/words';

// The pictures that those chose who sit at the board shown here.
export const Faces = createContext<(seat: number) => string | undefined>(() => undefined);

export function SeatName({ seat, name, bot, isYou }: { seat: number; name: string; bot?: boolean; isYou?: boolean }) {
    const avatar = useContext(Faces)(seat);
    return (
        <span class={`seatname seat-${seat}`}>
            <span class="seatdot" aria-hidden="true" />
            {avatar ? <Avatar avatar={avatar} name={name} /> : null}
            <span>
                {name}
                {isYou ? ` (${t('you')})` : ''}
            </span>
            {bot ? <span class="chip">{t('bot')}</span> : null}
        </span>
    );
}

// At such a table not everything is chance; whoever sits down, watches or reads of it later is told. `isDiceless`: no
// seed changes anything there.
export function Rigged({
    table,
    isDiceless,
}: {
    table: { rigged?: boolean; open_dice?: boolean };
    isDiceless?: boolean;
}) {
    return (
        <>
            {table.rigged ? (
                <span class="chip warm rigged" title={t('rigged_more')}>
                    {t('rigged')}
                </span>
            ) : null}
            {table.open_dice && !isDiceless ? (
                <span class="chip warm opendice" title={t('open_dice_more')}>
                    {t('open_dice')}
                </span>
            ) : null}
        </>
    );
}

// Why something was not done. It stands at the lower edge of the window, wherever one has scrolled to, and covers no
// button for good: it goes with what follows, or by its own.
export function Refusal({ why, onClose }: { why: string; onClose: () => void }) {
    if (why === '') return null;
    return (
        <div class="notice bad refusal" role="alert">
            <span>{why}</span>
            <button class="button plain small" aria-label={t('close')} onClick={onClose}>
                ✕
            </button>
        </div>
    );
}

// While it is open the keyboard stays inside, Escape closes it, and then the focus is where it was.
export function Dialog({
    title,
    onClose,
    children,
}: {
    title: string;
    onClose: () => void;
    children: ComponentChildren;
}) {
    const box = useRef<HTMLDivElement>(null);
    const keys = useRef<(event: KeyboardEvent) => void>();
    useEffect(() => {
        const before = document.activeElement as HTMLElement | null;
        (
            box.current?.querySelector<HTMLElement>('form button, form input, select, input') ??
            box.current?.querySelector<HTMLElement>('button')
        )?.focus();
        return () => before?.focus();
    }, []);
    // Heard wherever the focus is: a click beside a field, or a button that goes, leaves it outside.
    useEffect(() => {
        const hear = (event: KeyboardEvent) => keys.current?.(event);
        document.addEventListener('keydown', hear);
        return () => document.removeEventListener('keydown', hear);
    }, []);
    keys.current = (event) => {
        if (event.key === 'Escape') onClose();
        if (event.key !== 'Tab') return;
        const all = [
            ...(box.current?.querySelectorAll<HTMLElement>('input, textarea, button:not(:disabled), select, a[href]') ??
                []),
        ];
        const edge = event.shiftKey ? all[0] : all[all.length - 1];
        if (document.activeElement === edge || !box.current?.contains(document.activeElement)) {
            event.preventDefault();
            (event.shiftKey ? all[all.length - 1] : all[0])?.focus();
        }
    };
    return (
        <div class="dialog" onClick={(event) => event.target === event.currentTarget && onClose()}>
            <div class="card" role="dialog" aria-modal="true" aria-label={title} ref={box}>
                <div class="row between">
                    <h2>{title}</h2>
                    <button class="button plain small" aria-label={t('close')} onClick={onClose}>
                        ✕
                    </button>
                </div>
                {children}
            </div>
        </div>
    );
}

interface TabsProps<Name extends Word> {
    names: readonly Name[];
    chosen: Signal<Name>;
    mark?: (name: Name) => ComponentChildren; // Something behind a tab's name.
}
export function Tabs<Name extends Word>({ names, chosen, mark }: TabsProps<Name>) {
    const choose = (name: Name) => {
        chosen.value = name;
    };
    return (
        <div class="tabs" role="tablist">
            {names.map((name) => (
                <button key={name} role="tab" aria-selected={chosen.value === name} onClick={() => choose(name)}>
                    {t(name)}
                    {mark?.(name)}
                </button>
            ))}
        </div>
    );
}

export function Clock({ deadline }: { deadline: number | null }) {
    const [, tick] = useState(0);
    useEffect(() => {
        if (deadline === null) return undefined;
        const timer = setInterval(() => tick((n) => n + 1), 500);
        return () => clearInterval(timer);
    }, [deadline]);
    if (deadline === null) return null;
    const left = Math.max(0, Math.round((deadline - Date.now()) / 1000));
    const text = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
    return (
        <span class={`chip num ${left <= 10 ? 'warm' : ''}`} role="timer">
            <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
                <circle cx="8" cy="8" r="6.500" fill="none" stroke="currentColor" stroke-width="1.600" />
                <path d="M8 4.500V8l2.500 1.500" fill="none" stroke="currentColor" stroke-width="1.600" />
            </svg>{' '}
            {text}
        </span>
    );
}

// `atOnce`: it was opened to be copied, and so it is.
export function Copy({ text, label, atOnce }: { text: string; label?: string; atOnce?: boolean }) {
    const [done, setDone] = useState(false);
    const field = useRef<HTMLInputElement>(null);
    const copy = () => {
        // The clipboard is forbidden on plain http; then the text is selected, to be copied by hand.
        field.current?.select();
        navigator.clipboard
            ?.writeText(text)
            .then(() => setDone(true))
            .catch(() => undefined);
    };
    useEffect(() => setDone(false), [text]);
    useEffect(() => {
        if (atOnce) copy();
    }, []);
    return (
        <div class="copy">
            <input
                class="input"
                readOnly
                value={text}
                ref={field}
                aria-label={label ?? t('invite_link')}
                onFocus={copy}
            />
            <button class="button" onClick={copy}>
                {done ? t('copied') : t('copy')}
            </button>
        </div>
    );
}
