// prefer.ts: what this person prefers, kept on this device: light, motion, and how a turn is announced.
import { signal } from '@preact/signals';
import { keep, kept } from '../net/door';

function preference(key: string, usual: string) {
    const value = signal(kept(`arbiter.${key}`) ?? usual);
    return {
        value,
        set: (next: string) => {
            value.value = next;
            keep(`arbiter.${key}`, next);
            apply();
        },
    };
}

export const theme = preference('theme', 'auto');
export const motion = preference('motion', 'on');
export const inTitle = preference('title', 'on');
export const withSound = preference('sound', 'off');
export const withNotice = preference('notice', 'off');

const dark = matchMedia('(prefers-color-scheme: dark)');
const still = matchMedia('(prefers-reduced-motion: reduce)');

export function apply(): void {
    const isDark = theme.value.value === 'dark' || (theme.value.value === 'auto' && dark.matches);
    document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light';
    document.documentElement.toggleAttribute('data-still', motion.value.value === 'off');
}
dark.addEventListener('change', apply);

export function isStill(): boolean {
    return still.matches || motion.value.value === 'off';
}

let audio: AudioContext | undefined;
function chime(): void {
    audio ??= new AudioContext();
    const now = audio.currentTime;
    [523.25, 659.25].forEach((pitch, n) => {
        const tone = audio!.createOscillator();
        const loud = audio!.createGain();
        tone.frequency.value = pitch;
        loud.gain.setValueAtTime(0, now + n * 0.13);
        loud.gain.linearRampToValueAtTime(0.08, now + n * 0.13 + 0.02);
        loud.gain.exponentialRampToValueAtTime(0.0001, now + n * 0.13 + 0.5);
        tone.connect(loud).connect(audio!.destination);
        tone.start(now + n * 0.13);
        tone.stop(now + n * 0.13 + 0.6);
    });
}

// Somebody is waited for: said in the ways this person wants, and only loudly when he looks elsewhere.
export function announceTurn(words: string): void {
    if (withSound.value.value === 'on') chime();
    if (
        withNotice.value.value === 'on' &&
        document.hidden &&
        'Notification' in window &&
        Notification.permission === 'granted'
    )
        new Notification('Arbiter', { body: words, tag: 'arbiter-turn' });
}
