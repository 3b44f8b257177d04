// face.tsx: nim as the page shows it: heaps of counters; a click on a counter takes it and all above it.
import type { View } from '../../generated/nim';
import { both, t } from '../../words/say';
import type { BoardProps, OwnFace, Names } from '../face';
import './nim.css';

function hasWon(winners: readonly number[], name: Names['name']): string {
    return t('has_won', { who: winners.map((seat) => name(seat)).join(', '), n: winners.length });
}

function Board({ view, choices, toAct, play, name, seat, over }: BoardProps) {
    const { heaps = [], winners = [] } = view as View;
    return (
        <div class="nim">
            <ul class="heaps">{heaps.map((count, heap) => (
                <li key={heap} class="heap">
                    <div class="counters">{Array.from({ length: Math.min(count, 60) }, (_, n) => {
                        const take = count - n;
                        const may = toAct && choices.has('take', heap, take);
                        return <button key={n} class="counter" disabled={!may} onClick={() => void play(choices.command('take', heap, take))}
                            aria-label={both(['Take {n} from heap {heap}', '{n} von Haufen {heap} nehmen'], { n: take, heap: heap + 1 })} />;
                    })}</div>
                    <b class="num">{count}</b>
                </li>))}</ul>
            <p class="soft">{seat !== undefined && !over ? `${both(['A click takes a counter and all above it.', 'Ein Klick nimmt einen Stein und alle darüber.'])} ` : ''}{(view as View).misere ? both(['Who takes the last counter loses.', 'Wer den letzten Stein nimmt, verliert.']) : both(['Who takes the last counter wins.', 'Wer den letzten Stein nimmt, gewinnt.'])}</p>
            {winners.length > 0 ? <p><strong>{hasWon(winners, name)}</strong></p> : null}
        </div>
    );
}

export const face: OwnFace = {
    Board,
    sentence: (event, names: Names) => {
        if (event['started']) return t('start');
        if (event['taken']) return both(['{name} takes {n} from heap {heap}.', '{name} nimmt {n} von Haufen {heap}.'], { name: names.name(event['taken'].seat), n: event['taken'].count, heap: (event['taken'].heap ?? 0) + 1 });
        if (event['out']) return both(['{name} is out.', '{name} ist draußen.'], { name: names.name(event['out'].seat) });
        if (event['over']) return `${hasWon(event['over'].winners ?? [], names.name)}.`;
        return null;
    },
    deed: (command) => both(['Take {n} from heap {heap}', '{n} von Haufen {heap} nehmen'], { n: command['take']?.count, heap: (command['take']?.heap ?? 0) + 1 }),
    winners: (view) => (view as View).winners ?? null,
    asked: (view, names) => (view['turn'] === undefined ? null : view['turn'] === names.seat ? t('your_turn') : t('turn_of', { name: names.name(view['turn']) })),
};
