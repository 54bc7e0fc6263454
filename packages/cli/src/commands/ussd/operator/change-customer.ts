import { mayAsk } from '../../../ask/asker.ts'
import { clackAsker } from '../../../ask/clack-asker.ts'
import { cliErrors } from '../../../errors/cli-errors.ts'
import type { ExitCode } from '../../../errors/exit-code.ts'
import { openCaller } from '../../../operations/open-caller.ts'
import { responses } from '../../../operations/responses.ts'
import { reportCanceled } from '../../../operations/run-operation.ts'
import { writeJson } from '../../../output/clean-text.ts'
import { formatCount } from '../../../output/format.ts'
import { asCalled } from '../../../process/called-as.ts'
import type { CommandIo } from '../../../process/command-io.ts'
import type { RecordedOptions, TwoStepOptions } from './operator-commands.ts'
import { readNote, readOperator, readTarget } from './read-note.ts'

interface ChangeTarget {
  /** Whether the target is a phone, not a customer. */
  readonly isPhone: boolean
  readonly customers: number
}

interface Change {
  readonly route: string
  readonly plan: (target: ChangeTarget) => string
  /** Describes the confirmed change; the target is unknown if another command made the request. */
  readonly done: (target?: ChangeTarget) => string
}

const changes = {
  reset: {
    route: 'POST /api/ussd/customers/resets',
    plan: ({ customers }) => `This gives ${counted(customers)} a new one-time PIN and invalidates the old PIN.`,
    done: () => 'Created a new one-time PIN and invalidated the old PIN.',
  },
  unlock: {
    route: 'POST /api/ussd/customers/unlocks',
    plan: target => `This removes the locks after wrong PINs for ${named(target)}.`,
    done: target => `Removed the locks after wrong PINs${target === undefined ? '' : ` for ${named(target)}`}.`,
  },
  erase: {
    route: 'POST /api/ussd/customers/erasures',
    plan: target => `This erases all stored data of this phone${among(target)}. It cannot be undone.`,
    done: target => `Erased all stored data of this phone${target === undefined ? '' : among(target)}.`,
  },
} as const satisfies Record<string, Change>

const among = ({ customers }: ChangeTarget): string => (customers === 0 ? '' : `, ${counted(customers)} among it`)

const counted = (customers: number): string => formatCount(customers, 'customer')

const named = ({ isPhone, customers }: ChangeTarget): string => {
  if (!isPhone) return counted(customers)
  return customers === 0 ? 'this phone' : `this phone and ${counted(customers)}`
}

/**
 * Runs `sibyl ussd customers reset`, `unlock` and `erase`: requests the change, and confirms it with the word of the
 * oracle after the user typed it. Without a terminal only the first step runs, unless `--yes` is given.
 *
 * @param target A phone number or a customer ID; `-` for stdin.
 */
export const changeCustomer = async (
  kind: keyof typeof changes,
  target: string,
  options: TwoStepOptions,
  io: CommandIo,
): Promise<ExitCode | undefined> => {
  const caller = await openCaller('ussd operator', options, io)
  const who = await readTarget(target, io)
  const isPhone = who.startsWith('+')
  if (kind === 'erase' && !isPhone) {
    throw cliErrors.usage_invalid(
      'erase requires a phone number: it erases all data of that phone.',
      'Run export to see the data.',
    )
  }
  return reportCanceled(io, async () => {
    const note = await readNote(options, io)
    const body = { ...(isPhone ? { phoneNumber: who } : { customerId: who }), ...note }
    const { route, plan } = changes[kind]
    const waiting = responses.waitingChange.parse(await caller.call(route, { body }))
    const { id, confirmation, expiresAt, customers } = waiting
    const about = { isPhone, customers }
    io.stderr.write(`${plan(about)}\n`)
    const confirm = (word: string) =>
      confirmChange(kind, { id, word, about }, { ...options, operator: note.operator }, io)
    if (options.yes) return confirm(confirmation)
    if (options.json) return writeJson(io, { kind, id, confirmation, expiresAt, customers })
    if (!mayAsk(io, {})) {
      io.stderr.write(`The request is recorded and valid until ${expiresAt}. Confirm it with:\n`)
      io.stdout.write(asCalled(`sibyl ussd customers confirm ${kind} ${id} ${confirmation}\n`, io.env))
      return
    }
    const word = await clackAsker(io, io.stdout, false).text(`Type ${confirmation} to confirm it.`, {
      check: answer =>
        answer.trim() === confirmation ? undefined : `That is not ${confirmation}. Press Ctrl-C to cancel.`,
    })
    return confirm(word.trim())
  })
}

interface RecordedRequest {
  readonly id: string
  /** The confirmation word of the request. */
  readonly word: string
  /** The target, if known. */
  readonly about?: ChangeTarget
}

/** Runs `sibyl ussd customers confirm`, the second step. Prints only the one-time PIN of a reset to standard output. */
export const confirmChange = async (
  kind: keyof typeof changes,
  { id, word: confirmation, about }: RecordedRequest,
  options: RecordedOptions,
  io: CommandIo,
): Promise<void> => {
  const caller = await openCaller('ussd operator', options, io)
  const { route, done }: Change = changes[kind]
  const body = { confirmation, operator: await readOperator(options, io) }
  const confirmed = responses.confirmedChange.parse(
    await caller.call(`${route}/{id}/confirm`, { params: { id }, body }),
  )
  if (options.json) writeJson(io, { kind, id, ...confirmed })
  else if ('pin' in confirmed) {
    const next = `The customer can sign in with this PIN until ${confirmed.validUntil}, and then chooses a new one:`
    io.stderr.write(`${done(about)} ${next}\n`)
    io.stdout.write(`${confirmed.pin}\n`)
  } else io.stderr.write(`${done(about)}\n`)
}
