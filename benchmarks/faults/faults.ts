/** A fault script in `all`: a file of this folder, and each set of its options. */
export interface ListedFault {
  readonly name: string
  readonly variants?: readonly (readonly string[])[]
  /** The defences that it must fail without, one at a time. @default the script's first */
  readonly defences?: readonly string[]
}

/** All fault scripts, in order. */
export const faults: readonly ListedFault[] = [
  {
    name: 'kill-nine',
    variants: [['--engine=sqlite'], ['--engine=postgres']],
    defences: ['ends-stored-before-told', 'one-turn-a-message'],
  },
  {
    name: 'continued-turns',
    variants: [['--engine=sqlite'], ['--engine=postgres']],
    defences: ['writes-after-checkpoint', 'begun-calls-not-repeated', 'continued-events-numbered'],
  },
  {
    name: 'two-process-kill',
    variants: [['--way=direct'], ['--way=pooled']],
    defences: ['ends-stored-before-told', 'one-turn-a-message'],
  },
  { name: 'vanished-turns', defences: ['vanished-turns-begun-again', 'vanished-turns-taken-back'] },
  { name: 'vanished-turns', variants: [['--engine=sqlite']], defences: ['vanished-turns-taken-back'] },
  {
    name: 'resume',
    variants: [['--engine=sqlite'], ['--engine=postgres']],
    defences: ['resume-position', 'resume-backlog'],
  },
  { name: 'disk-full', defences: ['ends-stored-before-told', 'ends-stored-later'] },
  {
    name: 'failed-sync',
    defences: [
      'failed-sync-stops-writes',
      'failed-sync-not-repeated',
      'failed-sync-log-rewritten',
      'failed-sync-in-health',
      'failed-sync-ends-process',
    ],
  },
  { name: 'power-cut', defences: ['syncs', 'synced-before-told'] },
  {
    name: 'clock-jumps',
    defences: ['nonces-outlive-jumps', 'rate-windows-by-stopwatch', 'schedules-put-right'],
  },
  { name: 'memory', defences: ['ended-turns-forgotten'] },
  { name: 'large-exports', defences: ['exports-in-chunks'] },
  { name: 'long-erasure', defences: ['log-emptied-once'] },
  { name: 'large-ledger', defences: ['others-between-pages'] },
  { name: 'flood', defences: ['answers-checked-on-a-thread', 'stored-bytes-limited'] },
  { name: 'stored-bytes', defences: ['stored-bytes-limited'] },
  { name: 'hostile-schemas', defences: ['answers-checked-on-a-thread'] },
  {
    name: 'sign-ins-kill',
    variants: [['--engine=sqlite'], ['--engine=postgres']],
    defences: ['lost-refreshes-repeated'],
  },
  { name: 'crowded-sign-ins', defences: ['sign-ins-replaced-by-site', 'client-documents-by-site'] },
  { name: 'large-pdfs', defences: ['pdfs-within-memory'] },
  { name: 'crowded-dials', defences: ['connections-wait'] },
  { name: 'mutated-tokens', defences: ['signatures', 'one-spelling', 'replay-guard'] },
  {
    name: 'same-invocation',
    variants: [['--engine=sqlite'], ['--engine=postgres']],
    defences: ['replay-guard', 'shared-replay-guard'],
  },
  { name: 'path-forms', defences: ['locks-on-routes'] },
  { name: 'disconnects', defences: ['letting-go-of-readers', 'turns-outlive-readers'] },
  { name: 'forwarded-for', defences: ['rightmost-hop', 'trusting-no-one', 'proxies-by-address', 'ipv6-by-64'] },
  { name: 'many-dids', defences: ['shares-by-address', 'reserve-for-the-known', 'limits-by-holder'] },
  {
    name: 'tool-rights',
    defences: [
      'abilities-at-calls',
      'abilities-of-tools',
      'approvals-narrow',
      'grants-at-calls',
      'grants-of-both',
      'approvals-by-present-keys',
      'keys-narrow-later',
    ],
  },
  {
    name: 'approvals-shown',
    defences: ['approvals-as-shown', 'approvals-show-arguments', 'approvals-shown-whole'],
  },
  {
    name: 'approvals-shown',
    variants: [['--of=rooms']],
    defences: ['encrypted-messages-once', 'encrypted-messages-by-sender', 'encrypted-rooms-closed'],
  },
  {
    name: 'sign-ins-shown',
    defences: [
      'phone-sign-ins-by-number',
      'phone-sign-ins-in-part',
      'redirects-to-owned-addresses',
      'clients-by-address',
    ],
  },
  { name: 'console-codes', defences: ['console-codes-split'] },
  { name: 'console-links', defences: ['console-codes-asked'] },
  { name: 'party-forms', defences: ['phones-in-one-form', 'dids-in-one-form', 'dids-of-the-oracle'] },
  {
    name: 'operator-texts',
    defences: ['alerts-to-own-phones', 'alert-tests-limited', 'subscriptions-while-allowed', 'abilities-named'],
  },
  { name: 'canaries', defences: ['striking-out-by-value', 'striking-out-by-name', 'masking-errors'] },
  {
    name: 'ussd-kills',
    variants: [['--engine=sqlite'], ['--engine=postgres']],
    defences: ['ussd-sessions-on-disk', 'ussd-writes-run-once'],
  },
  {
    name: 'ussd-pins',
    variants: [['--engine=sqlite'], ['--engine=postgres']],
    defences: ['ussd-lockout', 'ussd-attempts-reserved'],
  },
  { name: 'ussd-fuzz', defences: ['ussd-text-checked', 'ussd-messages-checked'] },
  { name: 'ussd-ciphertexts', defences: ['ussd-fresh-nonces', 'ussd-sealed-for-its-row'] },
  { name: 'ussd-strangers', defences: ['ussd-phone-in-key', 'ussd-operator-lock'] },
  { name: 'ussd-disk-full', defences: ['ussd-told-after-commit'] },
  {
    name: 'entities-kill',
    variants: [['--engine=sqlite'], ['--engine=postgres']],
    defences: [
      'entities-told-after-commit',
      'entities-keys-kept-with-them',
      'entities-written-as-one',
      'entities-webhook-position-after',
    ],
  },
  {
    name: 'claims-kill',
    variants: [['--engine=sqlite'], ['--engine=postgres']],
    defences: ['claims-decided-as-one', 'claims-counted-with-them', 'claims-places-on-disk'],
  },
  {
    name: 'credits-kill',
    variants: [['--engine=sqlite'], ['--engine=postgres']],
    defences: ['credits-charged-once', 'credits-held-with-them', 'credits-held-for-calls'],
  },
  {
    name: 'simulation',
    variants: [['--of=turns']],
    defences: ['begun-calls-not-repeated', 'one-turn-a-message'],
  },
  {
    name: 'simulation',
    variants: [['--of=schedules']],
    defences: ['schedules-kept-at-starts', 'schedules-moved-once', 'schedules-moved-with-jobs'],
  },
  {
    name: 'simulation',
    defences: [
      'jobs-taken-when-expired',
      'jobs-taken-as-read',
      'jobs-of-ended-processes',
      'lost-commits-not-claimed',
      'outbox-woken-again',
      'credits-held-with-them',
      'credits-charged-once',
    ],
  },
  { name: 'credits-outages', variants: [['--by=cuts'], ['--by=restarts']], defences: ['hooks-owed-until-done'] },
  { name: 'credentials-tamper', defences: ['credentials-signatures', 'credentials-whole-document'] },
]
