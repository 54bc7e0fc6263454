import type { Route } from '@sibyl/plugin'
import { keysRoute } from './keys/keys-route.ts'
import { keysChore } from './keys/sealed-tables.ts'
import type { UssdHost, UssdServices } from './make-services.ts'
import { makeOperatorLock } from './operators/operator-lock.ts'
import { personRecords } from './people/person-records.ts'
import type { PhoneRecords } from './people/phone-records.ts'
import { questionsChore } from './questions/question-store.ts'
import type { Questions } from './questions/questions.ts'
import { scheduleUpkeep } from './storage/upkeep.ts'

/** The operator's routes on customers and keys, closed without `USSD_OPERATOR_TOKEN` in every environment. */
export const operatorRoutes = (host: UssdHost, services: UssdServices): Route[] => {
  const { env, storage } = host
  const { vault, customerRoom } = services
  const lock = makeOperatorLock({ token: env.USSD_OPERATOR_TOKEN })
  return [
    ...customerRoom.routes(lock, [...phoneRecords(services), personRecords(host)]),
    keysRoute(storage, vault, lock),
  ]
}

/** What this plugin stores of a phone. */
export const phoneRecords = ({ customerRoom, questions }: UssdServices): readonly PhoneRecords[] => [
  ...customerRoom.records,
  questionRecords(questions),
]

/** What is done in the background at boot and every hour. */
export const startUpkeep = async ({ storage, clock, jobs, log }: UssdHost, services: UssdServices): Promise<void> => {
  const { vault, customerRoom } = services
  const chores = [
    customerRoom.chore,
    questionsChore(storage, clock),
    keysChore({ storage, vault, log, tables: customerRoom.sealedTables }),
  ]
  await scheduleUpkeep(jobs, chores)
}

const questionRecords = (questions: Questions): PhoneRecords => ({
  name: 'questions',
  async export(phoneNumber) {
    const asked = await questions.export(phoneNumber)
    return asked.map(({ askedAt, ...words }) => ({ ...words, askedAt: new Date(askedAt).toISOString() }))
  },
  erase: async phoneNumber => questions.erase(phoneNumber),
})
