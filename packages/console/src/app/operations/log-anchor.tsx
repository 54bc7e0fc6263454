import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { logPath } from '../components/failure-counts.ts'

/** Opens the lines of the log with a text. */
export const LogAnchor = ({ text }: { readonly text: string }) => {
  const { t } = useTranslation('operations')
  return (
    <Anchor size="xs" renderRoot={props => <Link to={logPath(text)} {...props} />}>
      {t('log.lines')}
    </Anchor>
  )
}
