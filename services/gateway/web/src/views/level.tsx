// level.tsx: a list to choose a bot's level from.
import { t } from '../words/say';
import { levelName, levelsOf, USUAL } from './levels';

interface PickProps {
    game: string;
    words: string;
    level: number;
    onPick: (level: number) => void;
}
export function PickLevel({ game, words, level, onPick }: PickProps) {
    const most = levelsOf(game);
    if (most === 0) return null;
    return (
        <label class="field">
            <span>{words}</span>
            <select class="input" value={level} onChange={(event) => onPick(Number(event.currentTarget.value))}>
                {Array.from({ length: most + 1 }, (_, n) => (
                    <option key={n} value={n}>
                        {n === USUAL ? t('level_usual') : levelName(game, n)}
                    </option>
                ))}
            </select>
        </label>
    );
}
