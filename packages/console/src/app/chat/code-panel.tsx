import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { JsonView } from '../components/json-view.tsx'
import { Note } from '../components/note.tsx'
import { shellText } from '../components/shell-text.ts'
import { asCalled } from '../i18n/as-called.ts'
import { useAccess, useApi } from '../session/console-context.tsx'

/** The conversation from a program: curl, clients of OpenAI, and `useChat`. */
export const CodePanel = ({ sessionId }: { readonly sessionId: string }) => {
  const { t } = useTranslation('chat')
  const api = useApi()
  const access = useAccess()
  const body = JSON.stringify({ id: sessionId, message: t('code.message') })
  return (
    <Stack gap="sm">
      <Note>{t('code.note')}</Note>
      <Snippet title={t('code.key')} text={asCalled('npx sibyl api-keys create my-app')} />
      <Snippet
        title="curl"
        text={`curl -N ${api.url('/chat')} \\
  -H "authorization: Bearer $SIBYL_API_KEY" \\
  -H 'content-type: application/json' \\
  -d ${shellText(body)}`}
      />
      {access.has('openai') && (
        <Snippet
          title="OpenAI"
          text={`import OpenAI from 'openai'

const client = new OpenAI({ baseURL: '${api.url('/v1')}', apiKey: process.env.SIBYL_API_KEY })
const answer = await client.chat.completions.create({
  model: 'field-oracle',
  messages: [{ role: 'user', content: ${JSON.stringify(t('code.message'))} }],
})
console.log(answer.choices[0].message.content)`}
        />
      )}
      <Snippet
        title="useChat"
        text={`import { useChat } from '@ai-sdk/react'
import { createClient, SibylChatTransport } from '@sibyl/client'

const client = createClient({ url: '${api.url('').replace(/\/$/, '')}', token: apiKey })
const transport = new SibylChatTransport({ client })

const chat = useChat({ id: '${sessionId}', transport })
// chat.sendMessage({ text }), chat.messages, transport.stop(chat.id)`}
      />
    </Stack>
  )
}

const Snippet = ({ title, text }: { readonly title: string; readonly text: string }) => (
  <div>
    <Text size="sm" fw={600} mb={4}>
      {title}
    </Text>
    <JsonView value={text} maxHeight={240} />
  </div>
)
