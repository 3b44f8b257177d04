// offered.tsx: somebody came by another device's code: whose it is, who one is now, and whether to become that player.
import { acceptOffer, me, offered } from '../net/house';
import { whyNot } from '../words/refusals';
import { t } from '../words/say';

export function Offered() {
    const offer = offered.value;
    const mine = me.value?.name;
    const close = () => {
        offered.value = null;
    };
    // Who is nobody yet reads in the form for a name why the code is not good.
    if (!offer || (offer.why && mine === undefined) || (offer.name === undefined && !offer.why)) return null;
    if (offer.why)
        return (
            <div class="notice bad row between" role="alert">
                <span>{whyNot({ refused: offer.why })}</span>
                <button class="button small" onClick={close}>
                    {t('close')}
                </button>
            </div>
        );
    const name = offer.name ?? '';
    return (
        <section class="notice stack offered" role="alertdialog" aria-label={t('offered', { name })}>
            <p>
                {t('offered', { name })} {mine === undefined ? null : t('offered_mine', { name, mine })}
            </p>
            <span class="buttons">
                <button class="button small main" onClick={acceptOffer}>
                    {t('offered_yes', { name })}
                </button>
                <button class="button small" onClick={close}>
                    {mine === undefined ? t('offered_no') : t('offered_stay', { mine })}
                </button>
            </span>
        </section>
    );
}
