import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { TurnFailedError } from '@sibyl/client'
import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useConsole } from '../session/console-context.tsx'
import type { OracleChat } from './use-oracle-chat.ts'

/** Codes of credentials that have ended. */
const expired = new Set(['bearer_invalid', 'bearer_missing', 'authentication_required', 'ucan_missing', 'ucan_expired'])

/** Why a message was not answered, and what to do. */
export const ChatFailure = ({ error, chat }: { readonly error: Error; readonly chat: OracleChat }) => {
  const { t } = useTranslation('chat')
  const { session } = useConsole()
  const { code, status } = error as { readonly code?: unknown; readonly status?: unknown }
  const retry = () => {
    chat.clearError()
    const last = chat.messages.at(-1)
    // A turn that failed has its message; one that was rejected is sent again under the same id.
    if (error instanceof TurnFailedError || last?.role !== 'user') return void chat.regenerate()
    chat.setMessages(chat.messages.slice(0, -1))
    return void chat.sendMessage({ id: last.id, role: 'user', parts: last.parts })
  }
  if (code === 'turn_running') {
    return (
      <Failure title={t('failure.running')} text={t('failure.runningText')} code={code}>
        <Button size="xs" variant="default" onClick={() => void chat.reload()}>
          {t('failure.follow')}
        </Button>
        <Button size="xs" variant="default" onClick={() => void chat.stopTurn().then(chat.reload)}>
          {t('failure.stopOther')}
        </Button>
      </Failure>
    )
  }
  if (!session.isSignedIn || status === 401 || expired.has(String(code))) {
    return (
      <Failure title={t('failure.expired')} text={t('failure.expiredText')} code={String(code ?? '')}>
        <Button size="xs" onClick={() => void session.end()}>
          {t('failure.signIn')}
        </Button>
      </Failure>
    )
  }
  return (
    <Failure title={t('failure.title')} text={error.message} code={typeof code === 'string' ? code : ''}>
      <Button size="xs" variant="default" onClick={retry}>
        {t('failure.retry')}
      </Button>
      <Button size="xs" variant="default" onClick={() => void chat.reload()}>
        {t('failure.reload')}
      </Button>
    </Failure>
  )
}

const Failure = ({
  title,
  text,
  code,
  children,
}: {
  readonly title: string
  readonly text: string
  readonly code: string
  readonly children: ReactNode
}) => (
  <Alert color="red" variant="light" icon={<CircleAlert size={18} aria-hidden />} title={title} role="alert">
    <Stack gap="xs" align="flex-start">
      <Text size="sm">{text}</Text>
      {code !== '' && (
        <Text size="xs" c="dimmed" ff="monospace">
          {code}
        </Text>
      )}
      <Group gap="xs">{children}</Group>
    </Stack>
  </Alert>
)
