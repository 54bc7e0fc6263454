// Credentials issued and verified a second on one core, beside the bare Ed25519 operation and beside another library.
// Run: node --conditions=sibyl-source benchmarks/credentials.ts
import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { openCredentialsOracle } from './credentials/oracle.ts'
import { issueElsewhere, verifyElsewhere } from './credentials/other-library.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const roundMs = Number(process.env.BENCH_ROUND_MS ?? 400)
const atOnce = 32

await using oracle = await openCredentialsOracle()
const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const bytes = new Uint8Array(64)
const signature = sign(null, bytes, privateKey)
const opened = createPublicKey(publicKey.export({ format: 'pem', type: 'spki' }))

const issued = await oracle.issue()
const foreign = { jcs: await issueElsewhere('eddsa-jcs-2022'), rdfc: await issueElsewhere('eddsa-rdfc-2022') }
const didDocument = await oracle.didDocument()
const mustVerify = async (credential: unknown): Promise<void> => {
  if (!(await oracle.verify(credential))) throw new Error('A good credential was refused: nothing was measured.')
}

/** Measured operations, with the number of operations of one call. */
const contestants: Record<string, { readonly floor: string; readonly count?: number; run(): unknown }> = {
  'bare signature': { floor: 'bare signature', run: () => sign(null, bytes, privateKey) },
  'signed by the service, not stored': { floor: 'bare signature', run: () => oracle.prepare() },
  'issued over the route, one at a time': { floor: 'bare signature', run: () => oracle.issue() },
  [`issued over the route, ${atOnce} at a time`]: {
    floor: 'bare signature',
    count: atOnce,
    run: () => Promise.all(Array.from({ length: atOnce }, () => oracle.issue())),
  },
  'bare verification': { floor: 'bare verification', run: () => verify(null, bytes, opened, signature) },
  'verified over the route: own, with status': { floor: 'bare verification', run: () => mustVerify(issued) },
  'verified over the route: did:key, eddsa-jcs-2022': {
    floor: 'bare verification',
    run: () => mustVerify(foreign.jcs.credential),
  },
  'verified over the route: did:key, eddsa-rdfc-2022': {
    floor: 'bare verification',
    run: () => mustVerify(foreign.rdfc.credential),
  },
  '@digitalbazaar/vc 7.3.0: own, without status': {
    floor: 'bare verification',
    async run() {
      if (!(await verifyElsewhere(issued, [didDocument]))) throw new Error('The other library refused.')
    },
  },
}

const rates = new Map<string, number[]>(Object.keys(contestants).map(name => [name, []]))
for (let round = 0; round <= rounds; round += 1) {
  for (const [name, { run, count = 1 }] of Object.entries(contestants)) {
    const rate = (await perSecond(run)) * count
    if (round > 0) rates.get(name)!.push(rate)
  }
}

console.log(`node ${process.version}, SQLite, median of ${rounds} interleaved rounds\n`)
console.log('| | a second | of the bare operation |')
console.log('|---|---|---|')
for (const [name, measured] of rates) {
  const floor = median(rates.get(contestants[name]!.floor)!)
  console.log(`| ${name} | ${Math.round(median(measured))} | ${(median(measured) / floor).toFixed(3)} |`)
}

async function perSecond(run: () => unknown): Promise<number> {
  const start = performance.now()
  let count = 0
  while (performance.now() - start < roundMs) {
    await run()
    count += 1
  }
  return (count / (performance.now() - start)) * 1000
}

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!
}
