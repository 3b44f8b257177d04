// leaving.tsx: when somebody goes from a match: the question before, and what the others decide about his seat.
import { useSignal } from '@preact/signals';
import { ask } from '../net/house';
import { Dialog } from '../ui/parts';
import { go } from '../ui/route';
import { answerWords } from '../words/refusals';
import { t } from '../words/say';
import { leave } from './table';

export function VacantVote({ id, seat }: { id: string | undefined; seat: number }) {
    const friend = useSignal('');
    const fault = useSignal('');
    const voted = useSignal(false);
    const vote = async (choice: 'CHOICE_WAIT' | 'CHOICE_BOT' | 'CHOICE_FRIEND', friend_name?: string) => {
        const answer = await ask({ vote: { table: id, seat, choice, friend_name } });
        voted.value = answer.verdict === 'VERDICT_DONE';
        fault.value = answerWords(answer);
    };
    if (voted.value)
        return (
            <div class="notice vote" role="status">
                {t('voted', { n: seat + 1 })}
            </div>
        );
    return (
        <div class="notice vote row between" role="status">
            <span>{t('vote_seat', { n: seat + 1 })}</span>
            <span class="buttons">
                <button class="button small" onClick={() => void vote('CHOICE_WAIT')}>
                    {t('vote_wait')}
                </button>
                <button class="button small" onClick={() => void vote('CHOICE_BOT')}>
                    {t('vote_bot')}
                </button>
            </span>
            <form
                class="joincode"
                onSubmit={(event) => {
                    event.preventDefault();
                    if (friend.value.trim()) void vote('CHOICE_FRIEND', friend.value.trim());
                }}
            >
                <input
                    class="input"
                    aria-label={t('friend_name')}
                    placeholder={t('friend_name')}
                    value={friend.value}
                    onInput={(event) => {
                        friend.value = event.currentTarget.value;
                    }}
                />
                <button class="button small" disabled={friend.value.trim() === ''}>
                    {t('vote_friend')}
                </button>
            </form>
            {fault.value ? (
                <span class="bad small" role="alert">
                    {fault.value}
                </span>
            ) : null}
        </div>
    );
}

export function LeaveMatch({ id, onClose }: { id: string | undefined; onClose: () => void }) {
    const fault = useSignal('');
    return (
        <Dialog title={t('leave_match')} onClose={onClose}>
            <div class="stack">
                <p>{t('leave_sure')}</p>
                <div class="buttons">
                    <button
                        class="button bad"
                        onClick={async () => {
                            fault.value = await leave(id);
                            if (fault.value !== '') return;
                            onClose();
                            go('/');
                        }}
                    >
                        {t('leave_match')}
                    </button>
                    <button class="button" onClick={onClose}>
                        {t('stay')}
                    </button>
                </div>
                {fault.value ? (
                    <p class="notice bad" role="alert">
                        {fault.value}
                    </p>
                ) : null}
            </div>
        </Dialog>
    );
}
