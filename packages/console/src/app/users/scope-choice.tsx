import { TagsInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** Suggested abilities. */
const usual = [
  'chat/*',
  'chat/send',
  'session/*',
  'session/read',
  'memory/*',
  'files/*',
  'me/export',
  'operator/read',
  'operator/write',
]

/** The abilities of a new credential, from suggestions or typed. */
export const ScopeChoice = ({
  value,
  onChange,
  withOperator = true,
}: {
  readonly value: readonly string[]
  readonly onChange: (scopes: string[]) => void
  /** Whether abilities of the operator are suggested. */
  readonly withOperator?: boolean
}) => {
  const { t } = useTranslation('users')
  const { t: common } = useTranslation()
  return (
    <TagsInput
      label={t('scopes')}
      description={t('scopesHint')}
      data={withOperator ? usual : usual.filter(ability => !ability.startsWith('operator/'))}
      value={[...value]}
      onChange={onChange}
      maxTags={64}
      clearable
      clearButtonProps={{ 'aria-label': common('action.clear') }}
    />
  )
}
