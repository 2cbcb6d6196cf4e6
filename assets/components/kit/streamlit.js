// All that pictures have to do with Streamlit: it calls a function with {data, parentElement, setStateValue,
// setTriggerValue} at every message, and what that returned when the element goes. A notebook may call the same
// function with a store of its own.

import { pageStore } from "./store.js";

export function component(Kind) {
  return ({ data, parentElement, setStateValue, setTriggerValue, store = pageStore() }) => {
    const picture = (parentElement.picture ??= new Kind(parentElement, store));
    picture.host = { state: setStateValue, trigger: setTriggerValue };
    picture.show(data);
    const leave = data.echo ? near(store, data.echo, setStateValue) : null;
    return () => {
      leave?.();
      picture.end();
      delete parentElement.picture;
    };
  };
}

// A picture in a piece that most clicks move: it brings what the server says, and tells it what was selected.
function near(store, echo, setStateValue) {
  const report = (said) => setStateValue("report", said);
  store.near = report;
  store.adopt(echo);
  return () => {
    if (store.near === report) store.near = null;
  };
}
