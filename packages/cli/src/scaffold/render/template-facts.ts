import type { TemplateName } from '../answers/scaffold-answers.ts'
import type { PackageCommands } from './package-commands.ts'

interface TemplateFacts {
  /** Shown after its name in a list: `menus for any phone`. */
  readonly title: string
  readonly files: Readonly<Record<string, string>>
  /** The first command to try, as arguments of `sibyl`. */
  readonly firstTry: string
  /** A section of the project's README. */
  readonly section?: (commands: PackageCommands, port: number) => string
}

export const templateFacts: Readonly<Record<TemplateName, TemplateFacts>> = {
  minimal: {
    title: 'only the bundled plugins',
    files: { 'src/main.test.ts': 'a test: the oracle boots and answers' },
    firstTry: 'chat --once "What can you do?"',
  },
  weather: {
    title: 'a plugin that uses the weather',
    files: {
      'src/plugins/field-advice.ts': 'a plugin: on which days the weather suits work in the fields',
      'src/plugins/field-advice.test.ts': 'its test',
    },
    firstTry: 'chat --once "When can I harvest in Berlin?"',
  },
  ussd: {
    title: 'menus for any phone',
    files: {
      'src/menus.ts': 'the menus that callers see',
      'src/menus.test.ts': 'their test: a phone that dials them',
    },
    firstTry: 'ussd',
  },
  twins: {
    title: 'digital twins, with their protocol',
    files: {
      'src/plugins/wells.ts': 'a plugin that registers wells as digital twins',
      'src/plugins/well-protocol.ts': 'the protocol of wells, and the rubric of claims about them',
      'src/plugins/wells.test.ts': 'its test',
    },
    firstTry: 'chat --once "Add the well Kasisi North in Kasisi"',
  },
  web: {
    title: 'a chat page in React, with history, approvals and files',
    files: {
      'src/plugins/chat-page.ts': 'a plugin that serves the built page at `/app`',
      'src/plugins/chat-page.test.ts': 'its test',
      'web/src/connection.ts': "the page's key, grant and client",
      'web/src/chats.tsx': 'the list of conversations',
      'web/src/conversation.tsx': 'one conversation, with `useChat`',
      'web/src/message.tsx': 'texts, tool calls, approvals and files of a message',
      'web/src/style.css': 'colors and layout, light and dark',
      'web/vite.config.ts': 'how the page is built',
    },
    firstTry: 'chat --once "What can you do?"',
    section: ({ dev, run }, port) => `## The page

\`${dev}\` builds the page and serves it at <http://localhost:${port}/app>. While you work on it, also run \`${run('page:dev')}\`: Vite
serves the page at <http://localhost:5173/app/> and reloads it at every change.

- **Keys.** The page creates a key in the browser, which no script can read, and signs each request with it. The key identifies
  the user: another browser is another user. If the browser deletes the key, the page offers to start with a new one.
- **Access.** In production, users need a grant. The page shows the command with their DID; paste what
  \`sibyl token grant <did>\` prints. When the grant expires, the page asks for another.
- **Production.** Run \`${run('page')}\` before you build the image or copy the project; the oracle serves \`web/dist\`.
- **Another host.** \`VITE_ORACLE_URL=https://oracle.example npx vite build web --base ./\` builds a page for any static host.
  Add the origin of that host to \`CORS_ORIGIN\` of the oracle, and have the host send a Content-Security-Policy such as
  \`default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src https://oracle.example; base-uri 'none'\`.

`,
  },
}
