import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** What proves the calls of the provider in tests. */
export const callSecret = '0123456789abcdef'

/** A message that the provider took. */
export interface TakenSms {
  readonly id: string
  readonly to: string
  readonly text: string
  readonly from: string
}

/** Starts the provider of `provider-process` as a process of its own. */
export const startProvider = async () => {
  const script = fileURLToPath(new URL('./provider-process.test.support.ts', import.meta.url))
  const server = spawn(process.execPath, ['--conditions=sibyl-source', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(server.stdout, 'data')
  const url = String(line).trim()
  const seen = async (): Promise<{ taken: TakenSms[]; requests: { path: string; status: string }[] }> =>
    (await fetch(`${url}/seen`)).json()
  return {
    url,
    /** What makes an oracle use it, by each of the formats. */
    env: {
      africastalking: {
        SMS_PROVIDER: 'africastalking',
        SMS_FROM: '20880',
        AFRICASTALKING_BASE_URL: url,
        AFRICASTALKING_USERNAME: 'field',
        AFRICASTALKING_API_KEY: 'at-key-0123456789',
        SMS_INBOUND_SECRET: callSecret,
      },
      infobip: {
        SMS_PROVIDER: 'infobip',
        SMS_FROM: 'Sibyl',
        INFOBIP_BASE_URL: url,
        INFOBIP_API_KEY: 'ib-key-0123456789',
        SMS_INBOUND_SECRET: callSecret,
      },
      kannel: {
        SMS_PROVIDER: 'kannel',
        SMS_FROM: '20880',
        KANNEL_BASE_URL: url,
        KANNEL_USERNAME: 'sibyl',
        KANNEL_PASSWORD: 'kannel-password',
        KANNEL_CALLBACK_URL: 'http://127.0.0.1:4000',
        SMS_INBOUND_SECRET: callSecret,
      },
    },
    seen,
    taken: async () => (await seen()).taken,
    /** How many requests to send came. */
    requests: async () => (await seen()).requests.length,
    report: async (reported: object): Promise<{ status?: number }> =>
      (await fetch(`${url}/control`, { method: 'POST', body: JSON.stringify(reported) })).json(),
    async [Symbol.asyncDispose]() {
      const gone = once(server, 'exit')
      server.kill('SIGKILL')
      await gone
    },
  }
}
