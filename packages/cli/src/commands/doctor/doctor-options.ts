import { jsonOption } from '../../command/common-options.ts'
import type { OptionsOf } from '../../command/define-command.ts'

export const doctorOptions = {
  online: { summary: 'test the key of the model provider, with one cheap request' },
  ...jsonOption,
} as const

export type DoctorOptions = OptionsOf<typeof doctorOptions>
