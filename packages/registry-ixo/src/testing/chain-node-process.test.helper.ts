import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { Chain } from './chain.test.helper.ts'
import type { NodeCommand, NodeFailure, NodeReport } from './chain-node.test.helper.ts'
import { Refusal } from './chain-refusal.test.helper.ts'

/**
 * A node of a chain as a process of its own: JSON-RPC of Tendermint on a free port of the loopback, told what to do by its
 * parent over IPC. It knows nothing of the registry's libraries.
 */

interface Request {
  readonly id: unknown
  readonly method: string
  readonly params: Record<string, string>
}

/** What a node says in place of a result. */
class RpcError extends Error {}

const blockMs = 4
let chain = new Chain('pandora-8')
let failures: NodeFailure[] = []
let received: Request[] = []
let waiting = new Map<string, Buffer>()
let catchingUp = false
/** Whether it knows what it has passed on already, as a node does until it starts anew. */
let remembers = true

const methods: Record<string, (params: Record<string, string>) => unknown> = {
  status: () => ({
    node_info: { network: chain.chainId, version: '0.37.4' },
    sync_info: { latest_block_height: String(chain.blocks.length + 1), catching_up: catchingUp },
  }),
  abci_query({ path = '', data = '' }) {
    try {
      return { response: { code: 0, value: chain.query(path, Buffer.from(data, 'hex')).toString('base64') } }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { response: { code: error.code, codespace: error.codespace, log: error.message, value: null } }
    }
  },
  broadcast_tx_sync({ tx = '' }) {
    const bytes = Buffer.from(tx, 'base64')
    if (waiting.has(tx) || (remembers && chain.blocks.some(block => block.bytes.equals(bytes))))
      throw new RpcError('tx already exists in cache')
    try {
      chain.check(bytes)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { code: error.code, codespace: error.codespace, log: error.message, data: '', hash: '' }
    }
    waiting.set(tx, bytes)
    setTimeout(() => waiting.delete(tx) && chain.include(bytes), blockMs)
    return { code: 0, codespace: '', log: '[]', data: '', hash: '' }
  },
  tx({ hash = '' }) {
    const wanted = Buffer.from(hash, 'base64').toString('hex').toUpperCase()
    const block = chain.blocks.find(one => one.hash === wanted)
    if (!block) throw new RpcError(`tx (${wanted}) not found`)
    return transactionOf(block)
  },
  tx_search({ query = '' }) {
    const [, address, sequence] = /^tx\.acc_seq='(\w+)\/(\d+)'$/.exec(query) ?? []
    const found = chain.blocks.filter(block => block.signer === address && block.sequence === Number(sequence))
    return { txs: found.map(transactionOf), total_count: String(found.length) }
  },
}

const transactionOf = (block: Chain['blocks'][number]) => ({
  hash: block.hash,
  height: String(chain.blocks.indexOf(block) + 2),
  index: 0,
  tx: block.bytes.toString('base64'),
  tx_result: {
    code: block.code,
    codespace: block.codespace,
    log: block.log,
    data: block.data.toString('base64'),
    gas_wanted: '1',
    gas_used: '1',
    events: [],
  },
})

const answer = ({ id, method, params }: Request): string => {
  try {
    const run = methods[method]
    if (!run) throw new RpcError(`Method not found: ${method}`)
    return JSON.stringify({ jsonrpc: '2.0', id, result: run(params) })
  } catch (error) {
    const data = error instanceof Error ? error.message : String(error)
    return JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603, message: 'Internal error', data } })
  }
}

const takeFailure = ({ method, params }: Request): NodeFailure | undefined => {
  const index = failures.findIndex(one => one.method === method && (one.path === undefined || params.path === one.path))
  const failure = failures[index]
  if (!failure) return undefined
  const times = failure.times ?? 1
  failures = times > 1 ? failures.with(index, { ...failure, times: times - 1 }) : failures.toSpliced(index, 1)
  return failure
}

const fail = ({ kind, text = '' }: NodeFailure, request: Request, response: ServerResponse): void => {
  if (kind === 'lose') answer(request)
  if (kind === 'lose' || kind === 'cut') response.destroy()
  if (kind === 'half')
    response.writeHead(200, { 'content-length': '100' }).write('{"jsonrpc"', () => response.destroy())
  if (kind === 'text') response.writeHead(200).end(text)
  if (kind === 'status') response.writeHead(502).end('<h1>Bad Gateway</h1>')
  if (kind === 'redirect') response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end()
  if (kind === 'result') response.end(`{"jsonrpc":"2.0","id":1,"result":${text}}`)
  if (kind === 'error') response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32603, data: text } }))
  if (kind === 'huge') response.writeHead(200).end(`"${'a'.repeat(3_000_000)}"`)
}

const server = createServer(async (incoming, response) => {
  const request = (await json(incoming)) as Request
  received.push(request)
  const failure = takeFailure(request)
  if (failure) return fail(failure, request, response)
  response.writeHead(200, { 'content-type': 'application/json' }).end(answer(request))
}).listen(0, '127.0.0.1', () => process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }))

const carryOut = (command: NodeCommand): void => {
  if (command.do === 'reset') {
    chain = new Chain(command.chainId ?? 'pandora-8')
    chain.oldAnswers = command.oldAnswers ?? false
    catchingUp = command.catchingUp ?? false
    failures = []
    received = []
    waiting = new Map()
    remembers = true
  }
  if (command.do === 'restart') remembers = false
  if (command.do === 'fund') {
    const { address, amount, vesting } = command
    const number = 40 + chain.accounts.size
    chain.accounts.set(address, { number, sequence: 0, balance: BigInt(amount), ...(vesting ? { vesting } : {}) })
  }
  if (command.do === 'fail') failures.push(...command.faults)
  if (command.do === 'spend') {
    const account = chain.accounts.get(command.address)
    if (account) {
      const { sequence } = account
      account.sequence += 1
      const block = {
        hash: 'AB'.repeat(32),
        bytes: Buffer.alloc(0),
        code: 0,
        codespace: '',
        log: '',
        data: Buffer.alloc(0),
      }
      chain.blocks.push({ ...block, signer: command.address, sequence })
    }
  }
  if (command.do === 'heal') failures = []
  if (command.do === 'edit') {
    const document = chain.modules.documents.get(command.did)
    if (document) Object.assign(document, command.members)
  }
}

process.on('message', (command: NodeCommand) => {
  carryOut(command)
  const report: NodeReport = {
    documents: [...chain.modules.documents.values()],
    entities: [...chain.modules.entities.values()].map(({ startDate, endDate, ...rest }) => rest),
    transactions: chain.blocks.map(({ hash, bytes, code, signer, sequence }) => {
      return { hash, code, signer, sequence, bytes: bytes.toString('base64') }
    }),
    requests: received.map(({ method, params }) => ({ method, path: params.path })),
    balances: Object.fromEntries([...chain.accounts].map(([address, { balance }]) => [address, balance.toString()])),
  }
  process.send?.({ report })
})
process.on('disconnect', () => process.exit())
