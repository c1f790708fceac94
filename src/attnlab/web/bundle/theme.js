(()=>{try{let t=localStorage.getItem("attnlab:theme");(t==="dark"||t==="light")&&(document.documentElement.dataset.theme=t)}catch{}})();
