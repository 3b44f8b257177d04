// doubt.tsx: a last question before a move that one may regret, where the game has one.
import { useEffect } from 'preact/hooks';
import { useSignal, type Signal } from '@preact/signals';
import type { Face, Names } from '../games/face';
import type { Match } from '../net/match';
import type { GameMessage } from '../proto/game';
import { Dialog } from '../ui/parts';
import { t } from '../words/say';

interface Doubt {
    words: string;
    command: GameMessage;
    settle: (isMeant: boolean) => void;
}

export interface Asking {
    doubt: Signal<Doubt | null>;
    play: (command: GameMessage) => Promise<boolean>;
}

// Plays at once what nobody regrets, and the rest once it is meant. A new view takes the question back.
export function useDoubt(match: Match, face: Face, names: Names): Asking {
    const doubt = useSignal<Doubt | null>(null);
    useEffect(() => doubt.value?.settle(false), [match.number.value]);
    const play = async (command: GameMessage) => {
        if (doubt.value) return false;
        const words = match.view.value ? face.doubt?.(command, match.view.value, names, match.choices.value) : null;
        if (!words) return match.play(command);
        const isMeant = await new Promise<boolean>((resolve) => {
            const settle = (answer: boolean) => {
                doubt.value = null;
                resolve(answer);
            };
            doubt.value = { words, command, settle };
        });
        return isMeant && match.play(command);
    };
    return { doubt, play };
}

export function DoubtDialog({ asking, face, names }: { asking: Asking; face: Face; names: Names }) {
    const doubt = asking.doubt.value;
    if (!doubt) return null;
    return (
        <Dialog title={face.deed(doubt.command, names)} onClose={() => doubt.settle(false)}>
            <div class="stack doubt">
                <p>{doubt.words}</p>
                <div class="buttons">
                    <button class="button main" onClick={() => doubt.settle(true)}>
                        {face.deed(doubt.command, names)}
                    </button>
                    <button class="button" onClick={() => doubt.settle(false)}>
                        {t('not_yet')}
                    </button>
                </div>
            </div>
        </Dialog>
    );
}
