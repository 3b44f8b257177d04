// ticker.tsx: what happens, one after the other before the eyes, quickly; a click or a key skips to the end.
//
// The board already stands as it is; this tells how it came there. A screen reader hears the same from a live region,
// once, all of it.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { LogEntry } from '../net/match';
import { isStill } from '../ui/prefer';
import { t } from '../words/say';
import { once, withCount } from './once';

const EACH_MS = 1100;
const ALL_MS = 3000;

// How dice are made stands in the log: before the eyes it would only be in the way of what is played.
function isTold({ event: { house } }: LogEntry): boolean {
    return !house || house.match_aborted !== undefined || house.seat_changed !== undefined;
}

export function Ticker({
    fresh,
    sentence,
    isLoud,
}: {
    fresh: readonly LogEntry[];
    sentence: (entry: LogEntry) => string | null;
    isLoud: (entry: LogEntry) => boolean;
}) {
    const queue = useRef<{ text: string; loud: boolean }[]>([]);
    const [now, setNow] = useState<{ text: string; loud: boolean; n: number } | null>(null);
    const [said, setSaid] = useState('');
    const count = useRef(0);
    const timer = useRef<ReturnType<typeof setTimeout>>();
    const next = () => {
        clearTimeout(timer.current);
        const one = queue.current.shift();
        if (!one) {
            timer.current = undefined;
            setNow(null);
            return;
        }
        setNow({ ...one, n: ++count.current });
        // Much at once goes by faster, so that nobody waits for the past.
        timer.current = setTimeout(next, Math.min(EACH_MS, ALL_MS / (queue.current.length + 1)));
    };
    useEffect(() => {
        const lines = once(fresh.filter(isTold), sentence).map((said) => ({
            text: withCount(said),
            loud: isLoud(said.first),
        }));
        if (lines.length === 0) return;
        setSaid(lines.map((line) => line.text).join(' '));
        if (isStill()) {
            setNow({ ...lines[lines.length - 1]!, n: ++count.current });
            return;
        }
        queue.current.push(...lines);
        if (timer.current === undefined) next();
    }, [fresh]);
    useEffect(() => () => clearTimeout(timer.current), []);
    const skip = () => {
        queue.current = [];
        next();
    };
    return (
        <div class="ticker">
            <div class="unseen" aria-live="polite">
                {said}
            </div>
            {now ? (
                <button
                    class={`tick${now.loud ? ' loud' : ''}`}
                    key={now.n}
                    onClick={skip}
                    title={t('skip_animation')}
                    tabIndex={-1}
                    aria-hidden="true"
                >
                    {now.text}
                </button>
            ) : null}
        </div>
    );
}
