import { firstRequest } from '#domain/market/supply.ts';

type FirstRequest = ReturnType<typeof firstRequest>;

/** What sign-ups are going to ask the market for. */
export interface FirstRequests {
  /** @param wished the intended day, null with the next possible start */
  of(isLocationKnown: boolean, isCancelled: boolean, wished: string | null, concludedAt: string): FirstRequest;
}

/** Remembers the answers of one second: sign-ups that come together mostly ask for the same. */
export function createFirstRequests(): FirstRequests {
  const answers = new Map<string, FirstRequest>();
  const state = { second: '' };
  return {
    of(isLocationKnown, isCancelled, wished, concludedAt) {
      if (state.second !== concludedAt) {
        answers.clear();
        state.second = concludedAt;
      }
      const key = `${isLocationKnown}/${isCancelled}/${wished ?? ''}`;
      const known = answers.get(key);
      if (known !== undefined) return known;
      const answer = firstRequest({ isLocationKnown, isCancelled, wished, concludedAt });
      answers.set(key, answer);
      return answer;
    },
  };
}
