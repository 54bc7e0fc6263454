import { Stack } from '@mantine/core'
import { phoneForms, plainForm } from '@sibyl/plugin-ussd/phone'
import type { FlowRecord } from '@sibyl/plugin-ussd/records'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../components/lazy-part.ts'
import { Page } from '../components/page.tsx'
import { LoadingState } from '../components/states.tsx'
import { useAccess } from '../session/console-context.tsx'
import { Handset } from './handset/handset.tsx'
import { HandsetOptions, isPhoneNumber, isServiceCode, type PhoneInput } from './handset/handset-options.tsx'
import { LastRequest } from './handset/last-request.tsx'
import { type HandsetSettings, useHandset } from './handset/use-handset.ts'
import { useFlow } from './parts/flow-record.ts'
import { PhoneTabs } from './parts/phone-tabs.tsx'
import { SmsOff, UssdOff } from './parts/ussd-off.tsx'
import classes from './phone-view.module.css'
import { SmsThread } from './sms/sms-thread.tsx'

const CallPath = lazyPart(() => import('./flow/call-path.tsx'), 'CallPath')

/** Defaults of the ussd plugin, for users without the right to read its settings. */
const usual = {
  keys: { back: '0', more: '98', previous: '99' },
  sessionSeconds: 180,
  replySeconds: 12,
} as const

/** A simulated phone: its USSD calls, and its SMS beside them. */
export const PhoneView = () => {
  const { t } = useTranslation('phone')
  const access = useAccess()
  const flow = useFlow().data
  const hasPhone = access.mayHave('ussd')
  const [input, setInput] = useState<PhoneInput>({
    provider: 'plain',
    // Reserved for fiction in the United Kingdom.
    phoneNumber: '+447700900001',
    code: '',
    secret: '',
  })
  const code = input.code === '' ? (flow?.gateway.serviceCodes[0] ?? '*1234#') : input.code
  const settings = settingsOf(input, flow)
  const handset = useHandset(settings)
  const { status } = handset.state
  const isInCall = status === 'open' || status === 'waiting'
  return (
    <Page title={t('title')} description={t('description')} views={<PhoneTabs />}>
      <div className={classes.columns}>
        <Stack gap="md">
          {hasPhone ? (
            <Handset
              handset={handset}
              settings={settings}
              flow={flow}
              code={code}
              onCode={next => setInput({ ...input, code: next })}
              isReady={isServiceCode(code) && isPhoneNumber(input.phoneNumber)}
            />
          ) : (
            <UssdOff />
          )}
        </Stack>
        <Stack gap="md">
          {(hasPhone || access.mayHave('sms')) && (
            <HandsetOptions
              input={input}
              onInput={changes => setInput({ ...input, ...changes })}
              flow={flow}
              hasPhone={hasPhone}
              isInCall={isInCall}
            />
          )}
          {access.mayHave('sms') ? <SmsThread phone={input.phoneNumber} /> : <SmsOff />}
        </Stack>
      </div>
      {flow && handset.state.texts.length > 0 && (
        <Suspense fallback={<LoadingState />}>
          <CallPath flow={flow} texts={handset.state.texts} />
        </Suspense>
      )}
      <LastRequest state={handset.state} provider={input.provider} />
    </Page>
  )
}

const settingsOf = ({ provider, phoneNumber, secret }: PhoneInput, flow: FlowRecord | undefined): HandsetSettings => ({
  form:
    provider === 'plain'
      ? plainForm(flow?.gateway.textMode === 'last' ? 'last' : 'cumulative')
      : (phoneForms.find(({ name }) => name === provider) ?? plainForm()),
  phoneNumber,
  secret,
  keys: flow?.keys ?? usual.keys,
  sessionSeconds: flow?.gateway.sessionSeconds ?? usual.sessionSeconds,
  // A network waits a little longer than the oracle.
  replySeconds: (flow?.gateway.replySeconds ?? usual.replySeconds) + 3,
})
