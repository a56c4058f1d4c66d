import { useMemo } from 'react';
import { useLanguage } from '../words/use-words.ts';

export type Numbers = {
  /** `1,243` in English. */
  count(value: number): string;
  /** `7.4`. */
  decimal(value: number): string;
  /** `26 %` of a share from 0 to 1; one decimal below ten percent. */
  percent(share: number): string;
};

export function useNumbers(): Numbers {
  const language = useLanguage();
  return useMemo(() => {
    const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
    const one = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
    return {
      count: (value) => whole.format(value),
      decimal: (value) => (value < 10 ? one : whole).format(value),
      percent: (share) => `${(share < 0.1 ? one : whole).format(share * 100)} %`,
    };
  }, [language]);
}
