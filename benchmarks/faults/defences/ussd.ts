import type { Defences } from './defence.ts'

/** Defences of the USSD gateway. */
export const ussdDefences: Defences = {
  'ussd-attempts-by-account': {
    broken: 'A right PIN forgives every attempt of its phone, also those made for other accounts.',
    replacements: [
      {
        file: 'packages/plugins/ussd/src/customers/create-customers.ts',
        find: "{ purpose: 'pin-phone', value: phoneNumber, part: customerId }",
        replace: "{ purpose: 'pin-phone', value: phoneNumber }",
      },
    ],
  },
  'ussd-attempts-reserved': {
    broken: 'An attempt is counted a moment after it was made, as where it is counted once it was wrong.',
    replacements: [
      {
        file: 'packages/plugins/ussd/src/customers/lockout.ts',
        find: `          await tx
            .updateTable('ussd_attempts')
            .set(eb => ({ attempts: eb('attempts', '+', 1), last_at: at }))
            .where('subject', 'in', names)
            .execute()
`,
        replace: `          const count = (later: WriteTransaction) =>
            later
              .updateTable('ussd_attempts')
              .set(eb => ({ attempts: eb('attempts', '+', 1), last_at: at }))
              .where('subject', 'in', names)
              .execute()
          setTimeout(() => void storage.write(count).catch(() => {}), 300)
`,
      },
    ],
  },
  'ussd-fresh-nonces': {
    broken: 'Everything is sealed under the same nonce.',
    replacements: [
      {
        file: 'packages/plugin/src/sealing/create-vault.ts',
        find: 'const nonce = nonces()',
        replace: 'const nonce = Buffer.alloc(nonceBytes, nonces.length)',
      },
    ],
  },
  'ussd-lockout': {
    broken: 'Wrong PINs are counted but do not lock accounts.',
    replacements: [
      {
        file: 'packages/plugins/ussd/src/customers/lockout.ts',
        find: 'failures < free ? 0 :',
        replace: 'failures < Number.POSITIVE_INFINITY ? 0 :',
      },
    ],
  },
  'ussd-messages-checked': {
    broken: "What a provider's adapter read reaches a session as it is.",
    replacements: [
      {
        file: 'packages/plugins/ussd/src/gateway/provider-routes.ts',
        find: 'if (!events.has(event)',
        replace: 'if (event) return true\n  if (!events.has(event)',
      },
    ],
  },
  'ussd-operator-lock': {
    broken: "The operator's routes are public.",
    replacements: [
      {
        file: 'packages/plugins/ussd/src/operators/operator-lock.ts',
        find: 'if (token === undefined && openWithoutToken) return',
        replace: "if (token !== '') return",
      },
    ],
  },
  'ussd-phone-in-key': {
    broken: 'A session is found by its id and its code only, regardless of the caller.',
    replacements: [
      {
        file: 'packages/plugins/ussd/src/sessions/session-place.ts',
        find: 'JSON.stringify([provider, sessionId, phoneNumber, codes.session])',
        replace: 'JSON.stringify([provider, sessionId, codes.session])',
      },
    ],
  },
  'ussd-sealed-for-its-row': {
    broken: 'What is sealed opens wherever it stands: the place has no part in it.',
    replacements: [
      {
        file: 'packages/plugin/src/sealing/create-vault.ts',
        find: "sealing.setAAD(Buffer.from(place, 'utf8'))",
        replace: '',
      },
      {
        file: 'packages/plugin/src/sealing/create-vault.ts',
        find: "opening.setAAD(Buffer.from(place, 'utf8'))",
        replace: '',
      },
      {
        file: 'packages/plugin/src/sealing/create-vault.ts',
        find: "Number.parseInt(hash('sha256', place, 'hex').slice(0, 8), 16) % sealingKeys",
        replace: "hash('sha256', place, 'hex').length % sealingKeys",
      },
    ],
  },
  'ussd-sessions-on-disk': {
    broken: 'Sessions are kept in memory, and are written where an account is written with them.',
    replacements: [
      {
        file: 'packages/plugins/ussd/src/sessions/session-store.ts',
        find: 'await this.#commit(taken)',
        replace: `const now = this.#time.now()
    for (const pending of taken()) this.#settle(pending, { keys: new Set([pending.session.key]), now, moves: this.#time.moves })`,
      },
    ],
  },
  'ussd-text-checked': {
    broken: 'The text of a request may hold any characters.',
    replacements: [
      {
        file: 'packages/plugins/ussd/src/requests/request-fields.ts',
        find: 'given => !unsendable.test(given)',
        replace: 'given => unsendable !== undefined || given === undefined',
      },
    ],
  },
  'ussd-told-after-commit': {
    broken: 'A phone is shown its next screen whether its session was stored or not.',
    replacements: [
      {
        file: 'packages/plugins/ussd/src/sessions/session-store.ts',
        find: 'else saved.reject(error)',
        replace: 'else saved.resolve(true)',
      },
    ],
  },
  'ussd-writes-run-once': {
    broken: 'An action that a killed process was in the middle of runs again, whatever it does.',
    replacements: [
      {
        file: 'packages/plugins/ussd/src/sessions/action-recovery.ts',
        find: "else if (step.action.effect === 'write') await",
        replace: "else if (step.action.effect === 'never') await",
      },
      {
        file: 'packages/plugins/ussd/src/sessions/late-actions.ts',
        find: "if (!isHere && action.effect === 'write')",
        replace: "if (!isHere && action.effect === 'never')",
      },
    ],
  },
}
