import { Button, Group, Loader, Paper, SimpleGrid, Stack, Text, TextInput, VisuallyHidden } from '@mantine/core'
import { measure } from '@sibyl/plugin-ussd/phone'
import type { FlowRecord } from '@sibyl/plugin-ussd/records'
import { Delete, Phone, PhoneOff, SendHorizontal } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { recognizeScreen } from '../parts/screen-title.ts'
import classes from './handset.module.css'
import { pagesAround } from './handset-state.ts'
import type { Handset as HandsetOf, HandsetSettings } from './use-handset.ts'
import { useNow } from './use-now.ts'

const keypad = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'] as const

/** Longest answer of a phone. */
const longestAnswer = 182

/** A phone with its screen, its keypad, and the facts of the call. */
export const Handset = ({
  handset,
  settings,
  flow,
  code,
  onCode,
  isReady,
}: {
  readonly handset: HandsetOf
  readonly settings: HandsetSettings
  readonly flow: FlowRecord | undefined
  readonly code: string
  readonly onCode: (code: string) => void
  /** False while the number or the code is invalid. */
  readonly isReady: boolean
}) => {
  const { t } = useTranslation('phone')
  const { state } = handset
  const [answer, setAnswer] = useState('')
  const isOpen = state.status === 'open'
  const isInCall = isOpen || state.status === 'waiting'
  const typed = isInCall ? answer : code
  const type = isInCall ? setAnswer : onCode
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (state.status === 'waiting') return
    if (!isOpen) {
      if (isReady) handset.dial(code)
      return
    }
    if (answer.trim() === '') return
    handset.answer(answer)
    setAnswer('')
  }
  return (
    <Paper withBorder p="md" className={classes.handset ?? ''} component="section" aria-label={t('handset.label')}>
      <Stack gap="sm">
        <Screen handset={handset} flow={flow} />
        <CallFacts handset={handset} settings={settings} flow={flow} />
        <form onSubmit={submit}>
          <Stack gap="xs">
            <Group gap="xs" align="flex-end" wrap="nowrap">
              <TextInput
                flex={1}
                label={isInCall ? t('handset.answer') : t('handset.code')}
                value={typed}
                onChange={event => type(event.currentTarget.value)}
                maxLength={isInCall ? longestAnswer : 100}
                autoComplete="off"
                spellCheck={false}
                error={!isInCall && !isReady ? t('handset.codeInvalid') : undefined}
              />
              <Button
                variant="default"
                px="xs"
                onClick={() => type(typed.slice(0, -1))}
                disabled={typed === ''}
                aria-label={t('handset.backspace')}
              >
                <Delete size={16} aria-hidden />
              </Button>
            </Group>
            <SimpleGrid cols={3} spacing="xs" verticalSpacing="xs">
              {keypad.map(key => (
                <Button key={key} variant="default" size="md" onClick={() => type(typed + key)}>
                  {key}
                </Button>
              ))}
            </SimpleGrid>
            <Group gap="xs" grow>
              <Button
                type="submit"
                leftSection={isInCall ? <SendHorizontal size={16} aria-hidden /> : <Phone size={16} aria-hidden />}
                disabled={state.status === 'waiting' || (isOpen ? answer.trim() === '' : !isReady)}
              >
                {isInCall ? t('handset.send') : t('handset.dial')}
              </Button>
              <Button
                variant="default"
                leftSection={<PhoneOff size={16} aria-hidden />}
                onClick={() => {
                  handset.hangUp()
                  setAnswer('')
                }}
                disabled={!isInCall}
              >
                {t('handset.hangUp')}
              </Button>
            </Group>
          </Stack>
        </form>
      </Stack>
    </Paper>
  )
}

const Screen = ({ handset, flow }: { readonly handset: HandsetOf; readonly flow: FlowRecord | undefined }) => {
  const { t } = useTranslation('phone')
  const { status, screen } = handset.state
  const language = screen && flow ? recognizeScreen(flow, screen.text)?.language : undefined
  const notes = {
    idle: t('screen.idle'),
    ended: t('screen.ended'),
    'hung-up': t('screen.hungUp'),
    'timed-out': t('screen.timedOut'),
    'no-reply': t('screen.noReply'),
    failed: t('screen.failed'),
  } as const
  return (
    <div className={classes.screen} aria-busy={status === 'waiting'}>
      <output aria-label={t('screen.label')}>
        {screen && (
          <pre className={classes.text} dir="auto" {...(language === undefined ? {} : { lang: language })}>
            {screen.text}
          </pre>
        )}
        {status !== 'open' && status !== 'waiting' && (
          <Text size="xs" className={classes.note ?? ''} mt={screen ? 'xs' : 0}>
            {notes[status]}
          </Text>
        )}
      </output>
      {status === 'waiting' && (
        <Group gap={6} className={classes.waiting ?? ''}>
          <Loader size={12} color="gray" />
          <VisuallyHidden>{t('screen.waiting')}</VisuallyHidden>
        </Group>
      )}
    </div>
  )
}

const CallFacts = ({
  handset,
  settings,
  flow,
}: {
  readonly handset: HandsetOf
  readonly settings: HandsetSettings
  readonly flow: FlowRecord | undefined
}) => {
  const { t } = useTranslation('phone')
  const { status, screen, page, shownAt, startedAt } = handset.state
  const isOpen = status === 'open'
  const now = useNow(isOpen)
  const measured = measure(screen?.text ?? '', settings.form.limits)
  const encoding = measured.encoding === 'gsm7' ? 'GSM-7' : 'UCS-2'
  const { hasMore, hasPrevious } = pagesAround(screen?.text ?? '', settings.keys)
  const left = Math.max(0, Math.ceil((shownAt + settings.sessionSeconds * 1000 - now) / 1000))
  const language = screen && flow ? recognizeScreen(flow, screen.text)?.language : undefined
  const languageName = flow?.languages.find(({ code }) => code === language)?.name
  const facts = [
    [
      t('facts.characters'),
      `${measured.used} / ${measured.limit} ${encoding}`,
      measured.used > measured.limit ? 'red' : undefined,
    ],
    [t('facts.page'), hasMore ? t('facts.moreFollow', { page }) : hasPrevious ? t('facts.lastPage', { page }) : '1'],
    [t('facts.session'), isOpen ? t('facts.left', { left: clock(left), total: clock((now - startedAt) / 1000) }) : '–'],
    [t('facts.language'), languageName ?? '–'],
  ] as const
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value, color]) => (
        <div key={name}>
          <Text component="dt" size="xs" c="dimmed">
            {name}
          </Text>
          <Text component="dd" size="xs" {...(color === undefined ? {} : { c: color })}>
            {value}
          </Text>
        </div>
      ))}
    </dl>
  )
}

/** Returns seconds as `2:05`. */
const clock = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds))
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
