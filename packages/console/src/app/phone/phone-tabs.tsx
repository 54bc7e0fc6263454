import { Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'

/** The views of the phone. */
export const PhoneTabs = ({ current }: { readonly current: 'phone' | 'flow' }) => {
  const { t } = useTranslation('phone')
  const tabs = [
    ['phone', '/phone', t('tabs.phone')],
    ['flow', '/phone/flow', t('tabs.flow')],
  ] as const
  return (
    <Group role="group" gap={4} aria-label={t('tabs.label')}>
      {tabs.map(([name, to, label]) => (
        <Button
          key={name}
          size="xs"
          variant={name === current ? 'light' : 'subtle'}
          aria-current={name === current ? 'page' : undefined}
          renderRoot={props => <Link to={to} {...props} />}
        >
          {label}
        </Button>
      ))}
    </Group>
  )
}
