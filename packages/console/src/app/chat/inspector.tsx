import { Tabs } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CodePanel } from './code-panel.tsx'
import { PromptPanel } from './prompt-panel.tsx'
import { TimingPanel } from './timing-panel.tsx'

/** The prompt of a session, the durations of its turns, and code for the same requests. */
export const Inspector = ({
  sessionId,
  messageId,
}: {
  readonly sessionId: string
  /** The inspected message. @default the last one */
  readonly messageId: string | undefined
}) => {
  const { t } = useTranslation('chat')
  return (
    <Tabs defaultValue="prompt" keepMounted={false}>
      <Tabs.List mb="sm">
        <Tabs.Tab value="prompt">{t('inspector.prompt')}</Tabs.Tab>
        <Tabs.Tab value="timing">{t('inspector.timing')}</Tabs.Tab>
        <Tabs.Tab value="code">{t('inspector.code')}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="prompt">
        <PromptPanel sessionId={sessionId} messageId={messageId} />
      </Tabs.Panel>
      <Tabs.Panel value="timing">
        <TimingPanel sessionId={sessionId} />
      </Tabs.Panel>
      <Tabs.Panel value="code">
        <CodePanel sessionId={sessionId} />
      </Tabs.Panel>
    </Tabs>
  )
}
