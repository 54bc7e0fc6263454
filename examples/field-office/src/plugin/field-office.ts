import { definePlugin, defineTool, personalAbility, untrustedContent } from '@sibyl/plugin'
import { claimRegister } from '@sibyl/plugin-claims'
import { personFiles, personFilesAbilities } from '@sibyl/protocol'
import { z } from 'zod'
import { weekOf } from './week.ts'
import { claimsOf, inWords, numbersOf, weeklyReport } from './weekly-report.ts'

/** Options of the office. */
export interface FieldOfficeOptions {
  /** The id of the collection that takes the reports of phones. */
  readonly collection: string
  /** The DID of who judges them. Its numbers are for everybody, its words for those who may see the claims. */
  readonly coordinator: string
}

/**
 * Counts the reports of a week, and writes them down.
 *
 * @example
 * await createOracleApp({ config, plugins: [...bundledPlugins(), fieldOffice({ collection, coordinator })] })
 */
export const fieldOffice = ({ collection, coordinator }: FieldOfficeOptions) =>
  definePlugin({
    name: 'field-office',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: {
      title: 'Field office',
      summary: 'Counts what phones reported in this week, and writes the weekly report.',
      whenToUse: ['someone asks how many reports came in', 'the weekly report is to be written'],
      whenNotToUse: ['one claim is to be seen or judged: that is claims'],
      load: 'on-demand',
      examples: [
        {
          user: ['How many reports came in this week?', 'How many reports are there?'],
          tool: 'count_reports',
          args: {},
          answer: 'Week {week}: {summary}',
        },
        {
          user: ['Write the weekly report', 'Write the report of this week'],
          tool: 'write_weekly_report',
          args: {},
          answer: '{summary}\n\n{report.text}',
        },
      ],
    },
    requires: ['claims', 'files'],
    setup(host) {
      const register = host.service(claimRegister)
      const files = host.service(personFiles)
      const thisWeek = () => weekOf(host.clock.now())
      return {
        tools: {
          count_reports: defineTool({
            description: 'Counts the reports of this week by outcome.',
            effect: 'read',
            ability: ['claims/read', personalAbility],
            input: z.object({}),
            async execute() {
              const week = thisWeek()
              const numbers = numbersOf(claimsOf(await register.list({ did: coordinator, collection }), week))
              return { week: week.name, ...numbers, summary: inWords(numbers) }
            },
          }),
          write_weekly_report: defineTool({
            description: "Writes the reports of this week into a file of the person's, and gives it back.",
            effect: 'write',
            ability: personFilesAbilities.write,
            input: z.object({}),
            async execute(_, { turn }) {
              const week = thisWeek()
              const claims = claimsOf(await register.list({ did: turn.actor.did, collection }), week)
              const content = weeklyReport(claims, week)
              const path = `reports/${week.name}.md`
              const { sha256 } = await files.write({ did: turn.actor.did, path, content, onTaken: 'replace' })
              const summary = `Wrote ${path}, sha256 ${sha256}.`
              return { path, sha256, summary, report: untrustedContent(path, content) }
            },
          }),
        },
      }
    },
  })
