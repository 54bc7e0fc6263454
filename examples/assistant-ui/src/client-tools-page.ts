import { useChat } from '@ai-sdk/react'
import { createClient, SibylChatTransport } from '@sibyl/client'
import { createSigningKey } from '@sibyl/identity/browser'
import {
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  type UIMessage,
} from 'ai'
import { createElement as h } from 'react'
import { createRoot } from 'react-dom/client'

const parameters = new URLSearchParams(location.search)
const url = parameters.get('oracle') ?? 'http://localhost:3000'
const client = createClient({ url, signer: createSigningKey() })
const clientTools = [
  {
    name: 'get_location',
    description: 'Returns where the user is.',
    inputSchema: { type: 'object' as const, properties: {} },
  },
]
const transport =
  parameters.get('transport') === 'default'
    ? new DefaultChatTransport<UIMessage>({
        api: `${url}/chat`,
        headers: () => client.headers(),
        body: { clientTools },
      })
    : new SibylChatTransport({ client, clientTools })

/** A chat whose page knows where the user is; `?silent` never says so. Reload shows the session as the oracle keeps it. */
const Chat = () => {
  const { messages, sendMessage, addToolOutput, addToolApprovalResponse, setMessages, error } = useChat({
    id: 'walk',
    transport,
    sendAutomaticallyWhen: options =>
      lastAssistantMessageIsCompleteWithToolCalls(options) ||
      lastAssistantMessageIsCompleteWithApprovalResponses(options),
    onToolCall({ toolCall: { toolName, toolCallId } }) {
      if (toolName !== 'get_location' || parameters.has('silent')) return
      void addToolOutput({ tool: 'get_location', toolCallId, output: { city: 'Kitwe' } })
    },
  })
  const reload = async () => setMessages((await client.sessions.get('walk')).messages as UIMessage[])
  const approvals = messages.flatMap(({ parts }) =>
    parts.flatMap(part => ('approval' in part && part.state === 'approval-requested' ? [part.approval] : [])),
  )
  return h(
    'main',
    null,
    messages.map(({ id, role, parts }) =>
      h(
        'article',
        { key: id, 'data-role': role },
        parts.map((part, index) => (part.type === 'text' ? h('span', { key: index }, part.text) : null)),
      ),
    ),
    error ? h('p', { role: 'alert' }, error.message) : null,
    approvals.map(({ id }) =>
      h(
        'button',
        { key: id, type: 'button', onClick: () => addToolApprovalResponse({ id, approved: true }) },
        'Approve',
      ),
    ),
    h('button', { type: 'button', onClick: () => sendMessage({ text: 'Where am I?' }) }, 'Send'),
    h('button', { type: 'button', onClick: reload }, 'Reload'),
  )
}

createRoot(document.body.appendChild(document.createElement('div'))).render(h(Chat))
