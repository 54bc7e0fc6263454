import type { Logger } from '@sibyl/plugin'
import { secretErrors } from './secret-errors.ts'

/** Logs secrets at each level in every way that a plugin may do it by mistake. */
export const reportEverything = (log: Logger, secrets: readonly string[], phone: string): void => {
  for (const level of ['trace', 'debug', 'info', 'warn', 'error'] as const) {
    for (const secret of secrets) {
      log[level](`the secret is ${secret}`, { text: secret })
      log[level]('by name', {
        password: secret,
        apiKey: secret,
        nested: { deep: { headers: { authorization: secret } } },
      })
      log[level]('by place', {
        [secret]: 1,
        list: [secret, [secret]],
        set: new Set([secret]),
        map: new Map([['k', secret]]),
      })
      log[level]('as bytes', {
        bytes: Buffer.from(secret),
        view: new DataView(new ArrayBuffer(8)),
        json: { toJSON: () => secret },
      })
      log[level](`${'y'.repeat(1_970)}${secret}${'y'.repeat(100)}`, { long: `${'z'.repeat(1_965)}${secret}` })
      log[level]('in an address', { url: new URL(`https://u:${encodeURIComponent(secret)}@example.org/`) })
      log
        .child({ token: secret, note: secret })
        [level]('from a child', { request: { url: `/x?key=${encodeURIComponent(secret)}` } })
      for (const error of secretErrors([secret], undefined)) log[level]('an error', { error, reason: error })
    }
    log[level]('a person', {
      phone,
      phoneNumber: phone,
      msisdn: phone,
      caller: { phone_number: phone, msisdns: [phone] },
    })
  }
}
