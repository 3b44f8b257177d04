// ago.ts: how long something is past, as one says it.
import { language, t } from './say';

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
];

// Nothing for what has no time. Clocks differ by some seconds: what is not past yet is just now.
export function agoWords(ms: number, now = Date.now()): string {
    if (ms <= 0) return '';
    const seconds = (now - ms) / 1000;
    const [unit, size] = UNITS.find(([, one]) => seconds >= one) ?? [];
    if (unit === undefined || size === undefined) return t('just_now');
    return new Intl.RelativeTimeFormat(language.value, { numeric: 'auto' }).format(-Math.floor(seconds / size), unit);
}
