import type { Defences } from './defence.ts'

/** Defences of authentication, rights and secrets. */
export const accessDefences: Defences = {
  'abilities-at-calls': {
    broken:
      'A call that a person approved runs whatever the turn may do: its ability is checked where tools are offered alone.',
    replacements: [
      {
        file: 'packages/core/src/turn/calls/run-tool-call.ts',
        find: 'if (!verdict.allowed) throw',
        replace: "if (!verdict.allowed && verdict.reason !== 'ability_missing') throw",
      },
    ],
  },
  'abilities-of-tools': {
    broken: 'The gate does not ask which ability a tool needs.',
    replacements: [
      {
        file: 'packages/core/src/gate/capability-gate.ts',
        find: 'ability => !holdsAbility(scopes, ability)',
        replace: '() => false',
      },
    ],
  },
  'approvals-by-present-keys': {
    broken:
      'A turn that goes on after an approval holds what the API key that asked gave then, though it gives less now.',
    replacements: [
      {
        file: 'packages/core/src/turn/approvals/continue-turn.ts',
        find: 'verdict.holds ? verdict.actor : both',
        replace: 'both',
      },
    ],
  },
  'approvals-narrow': {
    broken: 'A turn that continues after an approval keeps the abilities of its request, regardless of the decider.',
    replacements: [
      {
        file: 'packages/core/src/turn/approvals/continue-turn.ts',
        find: 'narrowAbilities(asked.actor.scopes, actor.scopes)',
        replace: 'asked.actor.scopes',
      },
    ],
  },
  'grants-at-calls': {
    broken:
      'Whether a delegation was revoked or has expired is not checked for what runs later, nor for the calls of a turn that runs.',
    replacements: [
      { file: 'packages/core/src/auth/grant-check.ts', find: 'links.some((', replace: '[].some((' },
      { file: 'packages/core/src/auth/grant-check.ts', find: 'await revocations.findRevoked(', replace: 'false && (' },
    ],
  },
  'grants-of-both': {
    broken: 'A turn that continues after an approval uses only the right of the decider.',
    replacements: [
      {
        file: 'packages/core/src/turn/approvals/continue-turn.ts',
        find: 'joinGrants(actor.grant, asked.actor.grant)',
        replace: 'actor.grant',
      },
    ],
  },
  'keys-narrow-later': {
    broken: 'What runs later holds what its API key gave when it was set up, though the API key gives less now.',
    replacements: [
      {
        file: 'packages/core/src/auth/grant-check.ts',
        find: 'actor: { ...actor, scopes }',
        replace: 'actor',
      },
    ],
  },
  'locks-on-routes': {
    broken:
      'The locks compare the path as it was written, while the router reads it decoded: what a lock in front of a router does.',
    replacements: [
      {
        file: 'packages/core/src/http/access-policy.ts',
        find: 'export const lock = (',
        replace: `export const lock = (...parameters) => {
  const gate = routeLock(...parameters)
  return gate && (c => (new URL(c.req.url).pathname === c.req.path ? gate(c) : undefined))
}
const routeLock = (`,
      },
    ],
  },
  'masking-errors': {
    broken: 'Errors of a handler are sent to the client unmasked.',
    replacements: [
      {
        file: 'packages/core/src/http/http-app.ts',
        find: "detail: 'The error was logged.'",
        replace: 'detail: String(error.cause ?? error.message)',
      },
    ],
  },
  'one-spelling': {
    broken: 'Base64url is read with padding, white space and unused bits, as most libraries read it.',
    replacements: [
      {
        file: 'packages/identity/src/encoding/base64url.ts',
        find: 'if (!CANONICAL.test(text)) return undefined',
        replace: "return new Uint8Array(Buffer.from(text, 'base64url'))",
      },
    ],
  },
  'replay-guard': {
    broken: 'Every invocation counts as one that was never used before.',
    replacements: [
      {
        file: 'packages/core/src/auth/replay-guard.ts',
        find: 'return row !== undefined',
        replace: 'return row !== null',
      },
    ],
  },
  'shared-replay-guard': {
    broken: 'Invocations that were used are remembered by each process for itself, and only as long as it runs.',
    replacements: [
      {
        file: 'packages/core/src/auth/replay-guard.ts',
        find: 'export const spendNonce = async (tx: Transaction<CoreTables>, nonce: SpentNonce): Promise<boolean> => {',
        replace: `const seen = new Set<string>()
export const spendNonce = async (tx: Transaction<CoreTables>, nonce: SpentNonce): Promise<boolean> => {
  if (seen.has(nonce.hash)) return false
  seen.add(nonce.hash)
  if (seen.size > 0) return true`,
      },
    ],
  },
  signatures: {
    broken: 'Every signature holds.',
    replacements: [
      {
        file: 'packages/identity/src/ucan/signature-check.ts',
        find: '() => false,',
        replace: '() => true,',
      },
    ],
  },
  'striking-out-by-name': {
    broken: 'The log does not look at the names of fields.',
    replacements: [
      {
        file: 'packages/core/src/logging/plain-fields.ts',
        find: 'isSecretField(key, entry) ? redacted : inside(entry)',
        replace: 'inside(entry)',
      },
    ],
  },
  'striking-out-by-value': {
    broken: 'The log does not know the values of secrets.',
    replacements: [
      {
        file: 'packages/plugin/src/logging/redaction.ts',
        find: 'patterns.reduce((rest, pattern) => rest.replace(pattern, redacted), withoutLong)',
        replace: 'text',
      },
    ],
  },
}
