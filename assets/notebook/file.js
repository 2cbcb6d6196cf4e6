// The same in one HTML file, with everything inside.

import { mount } from "./mount.js";

/** `answers` are the pictures of what may be pressed, by its trail. */
export function opened(box, { pictures, answers, ...given }) {
  const bytes = (data) => (typeof data === "string" ? Uint8Array.from(atob(data), (c) => c.charCodeAt(0)) : data);
  const whole = Object.fromEntries(Object.entries(pictures).map(([name, data]) => [name, bytes(data)]));
  const drawn = mount(box, { ...given, pictures: whole }, ({ trail }) => {
    const answer = answers[trail ?? ""];
    if (answer) drawn.show(answer);
  });
}
