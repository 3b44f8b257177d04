// timeline.tsx: where in a match one is: a slider with marks, and the buttons beside it.
import type { Signal } from '@preact/signals';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { t } from '../words/say';

const ICONS = {
    start: 'M3 3v10M13 3 6 8l7 5z',
    back: 'M12 3 4 8l8 5z',
    on: 'M4 3l8 5-8 5z',
    end: 'M13 3v10M3 3l7 5-7 5z',
};

function Icon({ name }: { name: keyof typeof ICONS }) {
    return (
        <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
            <path d={ICONS[name]} />
        </svg>
    );
}

const SPEEDS = [0.5, 1, 2, 4, 10];
const ACT_MS = 1000;

// Marks that would touch the one before are left out.
const APART = 0.075;
function apart<T extends { at: number }>(marks: readonly T[], last: number): T[] {
    let before = -1;
    return marks.filter(({ at }) => {
        const place = last > 1 ? (at - 1) / (last - 1) : 0;
        if (before >= 0 && place - before < APART) return false;
        before = place;
        return true;
    });
}

export function Timeline({
    at,
    last,
    marks,
}: {
    at: Signal<number>;
    last: number;
    marks: readonly { at: number; text: string }[];
}) {
    const playing = useSignal(false);
    const speed = useSignal(1);
    const to = (n: number) => {
        at.value = Math.min(last, Math.max(1, n));
    };
    useEffect(() => {
        if (!playing.value) return undefined;
        const timer = setInterval(() => {
            if (at.value >= last) playing.value = false;
            else to(at.value + 1);
        }, ACT_MS / speed.value);
        return () => clearInterval(timer);
    }, [playing.value, speed.value, last]);
    const keys = (event: KeyboardEvent) => {
        const target = event.target as HTMLElement;
        if (['INPUT', 'SELECT', 'TEXTAREA'].includes(target.tagName) && target.getAttribute('type') !== 'range') return;
        if (event.key === 'ArrowRight') to(at.value + 1);
        else if (event.key === 'ArrowLeft') to(at.value - 1);
        else if (event.key === ' ' && target.tagName !== 'BUTTON') playing.value = !playing.value;
        else return;
        event.preventDefault();
    };
    useEffect(() => {
        document.addEventListener('keydown', keys);
        return () => document.removeEventListener('keydown', keys);
    }, [last]);
    return (
        <section class="timeline card" aria-label={t('timeline')}>
            <div class="buttons">
                <button class="button small" aria-label={t('to_start')} onClick={() => to(1)}>
                    <Icon name="start" />
                </button>
                <button class="button small" aria-label={t('step_back')} onClick={() => to(at.value - 1)}>
                    <Icon name="back" />
                </button>
                <button
                    class="button small main"
                    onClick={() => {
                        if (at.value >= last) to(1);
                        playing.value = !playing.value;
                    }}
                >
                    {playing.value ? t('pause') : t('play')}
                </button>
                <button class="button small" aria-label={t('step_on')} onClick={() => to(at.value + 1)}>
                    <Icon name="on" />
                </button>
                <button class="button small" aria-label={t('to_end')} onClick={() => to(last)}>
                    <Icon name="end" />
                </button>
                <label class="row small">
                    <span class="soft">{t('speed')}</span>
                    <select
                        class="input speed"
                        value={speed.value}
                        onChange={(event) => {
                            speed.value = Number(event.currentTarget.value);
                        }}
                    >
                        {SPEEDS.map((one) => (
                            <option key={one} value={one}>
                                {one}×
                            </option>
                        ))}
                    </select>
                </label>
                <span class="num small soft">{t('act_of', { n: at.value, all: last })}</span>
            </div>
            <div class="slider">
                <input
                    type="range"
                    min={1}
                    max={last}
                    value={at.value}
                    aria-label={t('timeline')}
                    aria-valuetext={t('act_of', { n: at.value, all: last })}
                    onInput={(event) => to(Number(event.currentTarget.value))}
                />
                <div class="marks">
                    {apart(marks, last).map((mark) => (
                        <button
                            key={mark.at}
                            style={{ left: `${last > 1 ? ((mark.at - 1) / (last - 1)) * 100 : 0}%` }}
                            onClick={() => to(mark.at)}
                            class={mark.at <= at.value ? 'past' : ''}
                        >
                            {mark.text}
                        </button>
                    ))}
                </div>
            </div>
        </section>
    );
}
