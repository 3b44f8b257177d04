// settings.tsx: language, light, how a turn is announced, another device, and going.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { secretOf } from '../net/dice';
import { deviceCode, door, leaveHouse, me } from '../net/house';
import { Copy, Dialog } from '../ui/parts';
import { AnotherPlayer } from './people';
import { inTitle, motion, theme, withNotice, withSound } from '../ui/prefer';
import { language, speak, t, type Language } from '../words/say';

type Switch = { value: { value: string }; set: (next: string) => void };

function Check({ of, words }: { of: Switch; words: string }) {
    return (
        <label class="check">
            <input
                type="checkbox"
                checked={of.value.value === 'on'}
                onChange={(event) => of.set(event.currentTarget.checked ? 'on' : 'off')}
            />{' '}
            {words}
        </label>
    );
}

// A name is held by this secret alone: whoever gives it up cannot come back by it.
function SignOut({ name, onStay, onLeft }: { name: string; onStay: () => void; onLeft: () => void }) {
    const fault = useSignal('');
    return (
        <Dialog title={t('sign_out')} onClose={onStay}>
            <div class="stack">
                <p>{t('sign_out_sure', { name })}</p>
                <div class="buttons">
                    <button
                        class="button bad"
                        onClick={() => {
                            if (leaveHouse()) onLeft();
                            else fault.value = t('not_now');
                        }}
                    >
                        {t('sign_out')}
                    </button>
                    <button class="button" onClick={onStay}>
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

function Looks() {
    return (
        <div class="pairs">
            <label class="field">
                <span>{t('language')}</span>
                <select
                    class="input"
                    value={language.value}
                    onChange={(event) => speak(event.currentTarget.value as Language)}
                >
                    <option value="en">English</option>
                    <option value="de">Deutsch</option>
                </select>
            </label>
            <label class="field">
                <span>{t('theme')}</span>
                <select
                    class="input"
                    value={theme.value.value}
                    onChange={(event) => theme.set(event.currentTarget.value)}
                >
                    <option value="auto">{t('theme_auto')}</option>
                    <option value="light">{t('theme_light')}</option>
                    <option value="dark">{t('theme_dark')}</option>
                </select>
            </label>
        </div>
    );
}

// The secret of which this device makes its bytes for the dice goes with the code, where no server hears it.
function addressOf(code: string): string {
    const secret = secretOf(me.value?.player ?? '');
    return `${location.origin}${location.pathname}#/device/${code}.${secret}`;
}

// Another device, and none at all.
function Devices({ onLeave }: { onLeave: () => void }) {
    const code = deviceCode.value;
    return (
        <section class="stack">
            <h3>{t('other_device')}</h3>
            {code ? (
                <>
                    <Copy text={addressOf(code.code)} label={t('other_device')} />
                    <p class="small soft">{t('other_device_more')}</p>
                </>
            ) : (
                <div>
                    <button class="button" onClick={() => door.send({ device: {} })}>
                        {t('get_code')}
                    </button>
                </div>
            )}
            <div>
                <button class="button bad" onClick={onLeave}>
                    {t('sign_out')}
                </button>
            </div>
        </section>
    );
}

export function Settings({ onClose }: { onClose: () => void }) {
    const leaving = useSignal(false);
    const ask = (isAsked: boolean) => {
        leaving.value = isAsked;
    };
    useEffect(
        () => () => {
            deviceCode.value = null;
        },
        [],
    );
    const wantNotice: Switch = {
        value: withNotice.value,
        set: (next) => {
            withNotice.set(next);
            if (next === 'on' && 'Notification' in window) void Notification.requestPermission();
        },
    };
    if (leaving.value && me.value) return <SignOut name={me.value.name} onStay={() => ask(false)} onLeft={onClose} />;
    return (
        <Dialog title={t('settings')} onClose={onClose}>
            <div class="stack">
                <Looks />
                <fieldset class="stack plainset">
                    <legend class="soft small">{t('turn_signs')}</legend>
                    <Check of={inTitle} words={t('sign_title')} />
                    <Check of={withSound} words={t('sign_sound')} />
                    <Check of={wantNotice} words={t('sign_notice')} />
                </fieldset>
                <Check of={motion} words={t('motion')} />
                {me.value ? <AnotherPlayer /> : null}
                {me.value ? <Devices onLeave={() => ask(true)} /> : null}
            </div>
        </Dialog>
    );
}
